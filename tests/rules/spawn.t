#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: no word of a user's is run: no shell is started, and programs in few places. No
# socket is opened: what is said to Slurm goes through Slurm's own functions and commands.
. "$(dirname "$0")/lib.sh"

# Calls that hand a line to a shell.
shells()
{
	code "$1" c_files | grep -vE '^(tests|bench|contrib)/' |
		grep -E '(^|[^_a-zA-Z0-9])(system|popen|wordexp) *\(' || true
}

# Calls that start a program: each file of these hands over the words of one call as they are.
starts()
{
	local may='src/record/account|cli/chain/command|cli/common/lab|lab/analyse/cluster'
	local calls='exec(l|lp|le|v|vp|ve|vpe)|fexecve|posix_spawnp?'
	code "$1" c_files | grep -vE "^(tests|bench|contrib)/|^($may)\.c:" |
		grep -E "(^|[^_a-zA-Z0-9])($calls) *\(" || true
}

# Calls that listen on a port, or reach another machine.
sockets()
{
	local calls='socket|bind|listen|accept4?|connect|getaddrinfo|gethostbyname'
	code "$1" c_files | grep -vE '^(tests|bench|contrib)/' |
		grep -E "(^|[^_a-zA-Z0-9])($calls) *\(" || true
}

keeps "no shell is started" shells
keeps "no socket is opened" sockets
keeps "programs are started in four files" starts

plant src/base/x.c <<<'	system("ls");'
bites "system()" shells src/base/x.c:1
plant plugins/spank/x.c <<<'	f = popen(word, "r");'
bites "popen() in a plugin" shells plugins/spank/x.c:1
plant cli/cmd/x.c <<<'	posix_spawn(&pid, path, NULL, NULL, argv, environ);'
bites "another file that starts a program" starts cli/cmd/x.c:1
plant src/record/x.c <<<'	int fd = socket(AF_INET, SOCK_STREAM, 0);'
bites "a socket" sockets src/record/x.c:1
plant src/record/account.c <<<'	posix_spawnp(&pid, path, NULL, NULL, argv, environ);'
plant src/base/y.c <<'END'
/* system() and execv() are not called */ int file_system(int); int x = lw_exec(1);
END
spares "those that may, and longer names" starts
finish
