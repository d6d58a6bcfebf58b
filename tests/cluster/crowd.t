#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: with more RPCs under way than max_rpc_cnt no cycle begins
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
# who does not read his answer keeps slurmctld waiting so long
echo MessageTimeout=10000 > "$out/extra.conf"
cluster --sched leeway --nodes 2 --gpus 0 --clock 20 --conf-extra "$out/extra.conf" \
	--sched-params sched_interval=-1,defer,max_rpc_cnt=3

# A way to slurmctld on which questions pass at once, and answers when somebody opens the pipe
# /run/answers for writing. Until then a thread stays with each that the socket cannot hold.
way=$(
	cat <<'END'
use strict;
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_RCVBUF);
$SIG{CHLD} = 'IGNORE';
my $way = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 6900, Listen => 9,
	ReuseAddr => 1) or die "no way: $!";
sub pass {
	my ($from, $to) = @_;
	while (sysread($from, my $some, 65536)) {
		syswrite($to, $some);
	}
}
while (my $client = $way->accept) {
	next if fork;
	my $server = IO::Socket::INET->new(Proto => 'tcp');
	setsockopt($server, SOL_SOCKET, SO_RCVBUF, pack('l', 4096));
	connect($server, sockaddr_in(6817, inet_aton('127.0.0.1'))) or die "no slurmctld: $!";
	if (my $asks = fork) {
		open(my $pipe, '<', '/run/answers') or die "no pipe: $!";
		pass($server, $client);
		kill 'TERM', $asks;
	} else {
		pass($client, $server);
	}
	exit;
}
END
)
lay_way() {
	sh_on "mkfifo /run/answers && mkdir /etc/way && cp /etc/slurm/*.conf /etc/way &&
		echo SlurmctldPort=6900 >> /etc/way/slurm.conf && cat > /run/way.pl <<'END'
$way
END
		setsid perl /run/way.pl < /dev/null > /run/way.out 2>&1 &"
}
# ask: a question of that kind whose answer is the script of the job, which is large
ask() {
	sh_on "SLURM_CONF=/etc/way/slurm.conf setsid scontrol write batch_script $1 - \
		< /dev/null > /run/answer.$2 2>&1 &"
}
answered() { sh_on "grep -c '^sleep' /run/answer.$1"; }
threads() { sh_on sdiag | sed -n 's/^Server thread count: *//p'; }
crowded() { [ "$(threads)" -gt 3 ]; } # the one that asks is among them
cycles() { log_of_controller | grep -c 'leeway: cycle'; }

# Patience, of half a second and more, is for RPCs. The clock that tells the time is the fast one.
brief_cycle() { log_of_controller | grep -E 'leeway: cycle .* [0-9]{1,3} ms$' > /dev/null; }

# A job with a script of 3 MB waits for two that run.
long=$(job "--exclusive --time=300" 10000)
short=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=300 --exclusive \
	--wrap='until [ -e /tmp/enough ]; do sleep 2; done'")
starts "a job runs" "$long"
starts "another one runs" "$short"
large=$(as u1 "{ echo '#!/bin/sh'; head -c 3000000 /dev/zero | tr '\\0' '#'
	printf '\\nsleep 3000\\n'; } | sbatch --parsable --output=/dev/null --exclusive --time=100")
await 40 "a large one is planned" planned "$large"
await 60 "where no RPC is under way a cycle waits for none" brief_cycle

lay_way
for k in 1 2 3; do ask "$large" "$k"; done
await 30 "three RPCs are under way" crowded
before=$(cycles)
ok "the first job is cancelled" sh_on "scancel $long"
ok "the second has done enough" sh_on ': > /tmp/enough'
await 60 "and ends" sacct_is "$short" COMPLETED
ok "the RPCs are still under way" crowded
is "no cycle began" "$(cycles)" "$before"
is "and the job waits, with both nodes free" "$(job_state "$large")" PENDING
ok "the answers are read" sh_on ': > /run/answers'
await 40 "now it starts" job_is "$large" RUNNING
for k in 1 2 3; do await 20 "who asked has his answer" answered "$k"; done
finish
