/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job script and options of sbatch as a job_submit plugin would see them. */
#include "cli/tag/submit.h"

#include <stdio.h>
#include <string.h>

#include "tagger/shell.h"

enum field {
	IGNORED, /* has a value that is of no interest */
	FLAG,    /* has none */
	GRES,
	GPUS,
	GPUS_PER_NODE,
	GPUS_PER_TASK,
	GPUS_PER_SOCKET,
	TRES_PER_TASK,
	NODES,
	TASKS,
	TASKS_PER_NODE,
	ARRAY,
	NAME,
	CONTAINER,
	COMMENT,
	PARTITION,
	FEATURES,
	QOS,
	ACCOUNT,
};

/* An option that is not here has a value when the next word is no option. */
static const struct option_name {
	const char *name;
	char letter;
	enum field field;
} names[] = {
	{ "gres", 0, GRES },
	{ "gpus", 'G', GPUS },
	{ "gpus-per-node", 0, GPUS_PER_NODE },
	{ "gpus-per-task", 0, GPUS_PER_TASK },
	{ "gpus-per-socket", 0, GPUS_PER_SOCKET },
	{ "tres-per-task", 0, TRES_PER_TASK },
	{ "nodes", 'N', NODES },
	{ "ntasks", 'n', TASKS },
	{ "ntasks-per-node", 0, TASKS_PER_NODE },
	{ "tasks-per-node", 0, TASKS_PER_NODE },
	{ "array", 'a', ARRAY },
	{ "job-name", 'J', NAME },
	{ "container", 0, CONTAINER },
	{ "comment", 0, COMMENT },
	{ "partition", 'p', PARTITION },
	{ "constraint", 'C', FEATURES },
	{ "qos", 'q', QOS },
	{ "account", 'A', ACCOUNT },
	{ "exclusive", 0, FLAG },
	{ "oversubscribe", 's', FLAG },
	{ "overcommit", 'O', FLAG },
	{ "requeue", 0, FLAG },
	{ "no-requeue", 0, FLAG },
	{ "hold", 'H', FLAG },
	{ "contiguous", 0, FLAG },
	{ "spread-job", 0, FLAG },
	{ "use-min-nodes", 0, FLAG },
	{ "wait", 'W', FLAG },
	{ "no-kill", 'k', FLAG },
	{ "parsable", 0, FLAG },
	{ "quiet", 'Q', FLAG },
	{ "verbose", 'v', FLAG },
};

static enum field find_long(const char *name, size_t len, bool *ret_known)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len)) {
			*ret_known = true;
			return names[i].field;
		}
	*ret_known = false;
	return IGNORED;
}

static enum field find_letter(char letter)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].letter == letter)
			return names[i].field;
	return IGNORED;
}

/* ---- values ---- */

static void submit_copy(char *to, const struct lw_shell_word *value)
{
	snprintf(to, LW_SUBMIT_TEXT_MAX, "%.*s", (int)value->len, value->text);
}

/* Append ITEM in full form: "2" with BARE "gpu:" is "gres/gpu:2". */
static void add_item(char *to, const struct lw_shell_word *item, const char *bare,
		     bool old_spelling)
{
	size_t used = strlen(to);
	const char *text = item->text;
	int len = (int)item->len;
	const char *gres = old_spelling ? "gres:" : "gres/";

	if (len > 5 && (!memcmp(text, "gres/", 5) || !memcmp(text, "gres:", 5))) {
		text += 5;
		len -= 5;
	} else if (!bare) {
		gres = "";
	}
	snprintf(to + used, LW_SUBMIT_TEXT_MAX - used, "%s%s%s%.*s", used ? "," : "", gres,
		 bare ? bare : "", len, text);
}

static void set_tres(char *to, const struct lw_shell_word *value, const char *bare,
		     bool old_spelling)
{
	const char *p = value->text, *end = p + value->len;

	to[0] = '\0';
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		struct lw_shell_word item = { .text = p,
					      .len = (uint32_t)((comma ? comma : end) - p) };

		add_item(to, &item, bare, old_spelling);
		p = comma ? comma + 1 : end;
	}
}

static uint32_t read_number(const char **text, const char *end)
{
	uint64_t value = 0;

	for (; *text < end && **text >= '0' && **text <= '9'; (*text)++)
		if (value < UINT32_MAX)
			value = value * 10 + (uint64_t)(**text - '0');
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static uint32_t number_of(const struct lw_shell_word *value)
{
	const char *p = value->text;

	return read_number(&p, p + value->len);
}

/* "4" or "2-8" */
static void set_nodes(struct lw_submit *submit, const struct lw_shell_word *value)
{
	const char *p = value->text, *end = p + value->len;

	submit->nodes_min = submit->nodes_max = read_number(&p, end);
	if (p < end && *p++ == '-')
		submit->nodes_max = read_number(&p, end);
}

static void set_field(struct lw_submit *submit, enum field field,
		      const struct lw_shell_word *value)
{
	bool old = submit->old_spelling;

	switch (field) {
	case GRES:
		set_tres(submit->gres, value, "", old);
		break;
	case GPUS:
		set_tres(submit->tres_per_job, value, "gpu:", old);
		break;
	case GPUS_PER_NODE:
		set_tres(submit->gpus_per_node, value, "gpu:", old);
		break;
	case GPUS_PER_TASK:
		set_tres(submit->tres_per_task, value, "gpu:", old);
		break;
	case GPUS_PER_SOCKET:
		set_tres(submit->tres_per_socket, value, "gpu:", old);
		break;
	case TRES_PER_TASK:
		set_tres(submit->tres_per_task, value, NULL, old);
		break;
	case NODES:
		set_nodes(submit, value);
		break;
	case TASKS:
		submit->tasks = number_of(value);
		break;
	case TASKS_PER_NODE:
		submit->tasks_per_node = number_of(value);
		break;
	case ARRAY:
		submit_copy(submit->array, value);
		break;
	case NAME:
		submit_copy(submit->name, value);
		break;
	case CONTAINER:
		submit_copy(submit->container, value);
		break;
	case COMMENT:
		submit_copy(submit->comment, value);
		break;
	case PARTITION:
		submit_copy(submit->partition, value);
		break;
	case FEATURES:
		submit_copy(submit->features, value);
		break;
	case QOS:
		submit_copy(submit->qos, value);
		break;
	case ACCOUNT:
		submit_copy(submit->account, value);
		break;
	default:
		break;
	}
}

/* ---- words ---- */

static bool is_option(const struct lw_shell_word *word)
{
	return word->len > 1 && word->text[0] == '-';
}

/* The option at index AT of COMMAND; returns how many words it takes. */
static uint32_t read_option(struct lw_submit *submit, const struct lw_shell_command *command,
			    uint32_t at)
{
	const struct lw_shell_word *word = &command->word[at];
	const struct lw_shell_word *next = at + 1 < command->words ? word + 1 : NULL;
	bool is_long = word->text[1] == '-', known = true;
	const char *name = word->text + (is_long ? 2 : 1), *end = word->text + word->len;
	const char *equals = is_long ? memchr(name, '=', (size_t)(end - name)) : NULL;
	enum field field =
		is_long ? find_long(name, (size_t)((equals ? equals : end) - name), &known)
			: find_letter(*name);
	struct lw_shell_word attached = { .text = equals ? equals + 1 : name + 1 };

	if (field == FLAG || (!known && !equals && (!next || is_option(next))))
		return 1;
	attached.len = (uint32_t)(end - attached.text);
	if (equals || (!is_long && attached.len)) {
		set_field(submit, field, &attached);
		return 1;
	}
	if (next)
		set_field(submit, field, next);
	return 2;
}

static void read_command(void *arg, const struct lw_shell_command *command)
{
	uint32_t i = 0;

	while (i < command->words)
		i += is_option(&command->word[i]) ? read_option(arg, command, i) : 1;
}

static void read_line(struct lw_submit *submit, const char *line, size_t len)
{
	struct lw_shell_reader reader = { .found = read_command, .arg = submit };

	lw_shell_scan(line, len, &reader);
}

/* sbatch stops at the first line that is neither empty nor a comment. */
static void read_script(struct lw_submit *submit, const char *script)
{
	while (*script) {
		size_t len = strcspn(script, "\n");
		size_t blanks = strspn(script, " \t\r");

		if (*script != '#' && blanks < len)
			break;
		if (!strncmp(script, "#SBATCH ", 8))
			read_line(submit, script + 8, len - 8);
		script += len;
		script += *script == '\n';
	}
}

static void join_tres_per_node(struct lw_submit *submit)
{
	const char *gres = submit->gres, *gpus = submit->gpus_per_node;
	char *to = submit->tres_per_node;
	size_t room = LW_SUBMIT_TEXT_MAX - 1, len = strnlen(gres, room);

	memcpy(to, gres, len);
	if (len && *gpus && len < room)
		to[len++] = ',';
	memcpy(to + len, gpus, strnlen(gpus, room - len));
}

void lw_submit_read(const char *script, const char *options, bool old_spelling,
		    struct lw_submit *ret_submit)
{
	memset(ret_submit, 0, sizeof(*ret_submit));
	ret_submit->old_spelling = old_spelling;
	if (script)
		read_script(ret_submit, script);
	if (options)
		read_line(ret_submit, options, strlen(options));
	if (!ret_submit->tasks && ret_submit->tasks_per_node)
		ret_submit->tasks = ret_submit->tasks_per_node *
				    (ret_submit->nodes_min ? ret_submit->nodes_min : 1);
	join_tres_per_node(ret_submit);
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void lw_submit_request(const struct lw_submit *submit, const char *script,
		       struct lw_tag_request *ret_request)
{
	*ret_request = (struct lw_tag_request){
		.script = script,
		.tres_per_node = or_null(submit->tres_per_node),
		.tres_per_job = or_null(submit->tres_per_job),
		.tres_per_task = or_null(submit->tres_per_task),
		.tres_per_socket = or_null(submit->tres_per_socket),
		.array = or_null(submit->array),
		.name = or_null(submit->name),
		.container = or_null(submit->container),
		.comment = or_null(submit->comment),
		.partition = or_null(submit->partition),
		.features = or_null(submit->features),
		.qos = or_null(submit->qos),
		.account = or_null(submit->account),
		.tasks = submit->tasks,
		.tasks_per_node = submit->tasks_per_node,
		.nodes_min = submit->nodes_min,
		.nodes_max = submit->nodes_max,
	};
}
