/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm plugin says of itself, read from its file without loading it. */

/* The layout is that of the System V ABI (gABI, chapters 4 and 5). */
#include "cli/check/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

/* far above any plugin */
#define FILE_MAX  (256 << 20)
#define ALIGNMENT 8

struct image {
	const char *data;
	size_t size;
	const Elf64_Shdr *sections;
	size_t section_count;
};

/*
 * The COUNT items of SIZE bytes at OFFSET, or NULL when they are not all in the file, or not where
 * the ABI has items of 8 bytes.
 */
static const void *part(const struct image *image, uint64_t offset, uint64_t count, size_t size)
{
	if (offset > image->size || offset % ALIGNMENT || count > (image->size - offset) / size)
		return NULL;
	return image->data + offset;
}

static bool open_image(struct image *image, const char *data, size_t size)
{
	const Elf64_Ehdr *head;

	image->data = data;
	image->size = size;
	head = part(image, 0, 1, sizeof(*head));
	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_ident[EI_DATA] !=
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return false;
	image->sections = part(image, head->e_shoff, head->e_shnum, sizeof(Elf64_Shdr));
	image->section_count = head->e_shnum;
	return image->sections && head->e_type == ET_DYN;
}

/* The bytes of SYMBOL in the file, with *ret_room how many there are; NULL when none. */
static const char *symbol_data(const struct image *image, const Elf64_Sym *symbol,
			       size_t *ret_room)
{
	const Elf64_Shdr *section;
	uint64_t offset;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= image->section_count)
		return NULL;
	section = &image->sections[symbol->st_shndx];
	if (section->sh_type == SHT_NOBITS || symbol->st_value < section->sh_addr ||
	    symbol->st_value - section->sh_addr >= section->sh_size)
		return NULL;
	offset = section->sh_offset + (symbol->st_value - section->sh_addr);
	if (offset >= image->size)
		return NULL;
	*ret_room = image->size - offset;
	if (*ret_room > symbol->st_size)
		*ret_room = symbol->st_size;
	return image->data + offset;
}

static void copy_text(char *to, const char *data, size_t room)
{
	size_t len = strnlen(data, room < LW_ELF_TEXT - 1 ? room : LW_ELF_TEXT - 1);

	memcpy(to, data, len);
	to[len] = '\0';
}

static void read_symbol(const struct image *image, const Elf64_Sym *symbol, const char *name,
			struct lw_elf_plugin *plugin)
{
	size_t room;
	const char *data = symbol_data(image, symbol, &room);

	if (!data)
		return;
	if (strcmp(name, "plugin_version") == 0 && room >= sizeof(plugin->version))
		memcpy(&plugin->version, data, sizeof(plugin->version));
	else if (strcmp(name, "plugin_type") == 0)
		copy_text(plugin->type, data, room);
	else if (strcmp(name, "plugin_name") == 0)
		copy_text(plugin->name, data, room);
}

/* All symbols of the table SECTION; their names are in the section that it links. */
static bool read_table(const struct image *image, const Elf64_Shdr *section,
		       struct lw_elf_plugin *plugin)
{
	const Elf64_Sym *symbols = part(image, section->sh_offset,
					section->sh_size / sizeof(*symbols), sizeof(*symbols));
	const Elf64_Shdr *names = section->sh_link < image->section_count
					  ? &image->sections[section->sh_link]
					  : NULL;

	if (!symbols || !names || names->sh_offset > image->size ||
	    names->sh_size > image->size - names->sh_offset)
		return false;
	for (size_t i = 0; i < section->sh_size / sizeof(*symbols); i++) {
		const char *text = image->data + names->sh_offset;

		if (symbols[i].st_name < names->sh_size &&
		    memchr(text + symbols[i].st_name, '\0', names->sh_size - symbols[i].st_name))
			read_symbol(image, &symbols[i], text + symbols[i].st_name, plugin);
	}
	return true;
}

static bool read_symbols(const char *data, size_t size, struct lw_elf_plugin *plugin)
{
	struct image image;

	if (!open_image(&image, data, size))
		return false;
	plugin->machine = ((const Elf64_Ehdr *)(const void *)data)->e_machine;
	for (size_t i = 0; i < image.section_count; i++) {
		if (image.sections[i].sh_type == SHT_DYNSYM)
			return read_table(&image, &image.sections[i], plugin);
	}
	return false;
}

static int read_whole(int fd, char **ret_data, size_t *ret_size)
{
	struct stat st;
	char *data;
	int rc;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return -EINVAL;
	data = malloc((size_t)st.st_size + 1);
	if (!data)
		return -ENOMEM;
	rc = lw_read_all(fd, data, (size_t)st.st_size, ret_size);
	if (rc)
		free(data);
	else
		*ret_data = data;
	return rc;
}

int lw_elf_read_plugin(const char *path, struct lw_elf_plugin *ret_plugin, struct lw_error *err)
{
	struct lw_elf_plugin plugin = { 0 };
	char *data = NULL;
	size_t size = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc = fd < 0 ? -errno : read_whole(fd, &data, &size);

	if (fd >= 0)
		close(fd);
	if (rc)
		return lw_error_set(err, rc, "cannot be read: %s", strerror(-rc));
	if (read_symbols(data, size, &plugin))
		*ret_plugin = plugin;
	else
		rc = lw_error_set(err, -EINVAL, "is no shared object, or is cut off");
	free(data);
	return rc;
}
