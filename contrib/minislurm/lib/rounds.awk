# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a random cluster, and what its users and administrator do; see rivals
#
# Goes behind requests.awk, which is given count=0: what a job asks for is drawn there. Wants jobs,
# minutes (in which they come) and what requests.awk wants. Prints lines of tabs:
#   cluster OPTION VALUE             of minislurm
#   topology LINE                    of topology.conf
#   conf LINE                        of slurm.conf
#   setup COMMAND                    before the first job
#   do SECONDS NUMBER USER RUN WORDS NUMBER is the job's, 0 for what is no submission; RUN is how
#                                    long it runs, "-" for none; {N} in WORDS is job N's id

function tell(kind, text) { printf "%s\t%s\n", kind, text }
# one of the alternatives between bars
function one_of(list,  words, count) {
	count = split(list, words, "|")
	return words[from(1, count)]
}
function quarter(k) {
	return "n[" int((k - 1) * nodes / 4) + 1 "-" int(k * nodes / 4) "]"
}

function draw_topology(  shape, k) {
	shape = any_of("none tree tree deep block")
	if (shape == "block") {
		for (k = 1; k <= 4; k++)
			tell("topology", "BlockName=b" k " Nodes=" quarter(k))
		tell("topology", "BlockSizes=" int(nodes / 4) "," int(nodes / 2))
		return
	}
	if (shape == "none")
		return
	for (k = 1; k <= 4; k++)
		tell("topology", "SwitchName=s" k " Nodes=" quarter(k))
	if (shape == "tree") {
		tell("topology", "SwitchName=top Switches=s[1-4]")
		return
	}
	tell("topology", "SwitchName=m1 Switches=s[1-2]")
	tell("topology", "SwitchName=m2 Switches=s[3-4]")
	tell("topology", "SwitchName=top Switches=m[1-2]")
}

function draw_partitions(  off) {
	off = preempt == "partition_prio" ? " PreemptMode=OFF" : ""
	tell("conf", "Licenses=tool:4,lm:2")
	tell("conf", "PartitionName=shared Nodes=ALL OverSubscribe=YES:2 DefMemPerCPU=100")
	tell("conf", "PartitionName=forced Nodes=ALL DefMemPerCPU=100" \
		(preempt_mode ~ /GANG/ ? "" : " OverSubscribe=FORCE:2"))
	tell("conf", "PartitionName=alone Nodes=ALL OverSubscribe=EXCLUSIVE DefMemPerCPU=100")
	tell("conf", "PartitionName=few Nodes=n[1-" int(nodes / 2) "] MaxNodes=2 DefMemPerCPU=100")
	tell("conf", "PartitionName=dense Nodes=ALL MaxCPUsPerNode=" int(cpus / 4) \
		" DefMemPerCPU=100")
	tell("conf", "PartitionName=capped Nodes=ALL MaxMemPerNode=" int(mem / 4) \
		" DefMemPerCPU=100")
	tell("conf", "PartitionName=loaded Nodes=ALL LLN=YES DefMemPerCPU=100")
	tell("conf", "PartitionName=defaults Nodes=ALL DefCpuPerGPU=2 DefMemPerGPU=" \
		int(mem / gpus / 2))
	tell("conf", "PartitionName=high Nodes=" any_of("ALL " quarter(1) " " quarter(4)) \
		" PriorityTier=9 DefMemPerCPU=100" off)
	tell("conf", "PartitionName=low Nodes=ALL PriorityTier=0 DefMemPerCPU=100")
	tell("conf", "PartitionName=short Nodes=ALL MaxTime=5 DefaultTime=2 PriorityTier=2" \
		" DefMemPerCPU=100" off)
	tell("conf", "PartitionName=picky Nodes=ALL AllowQos=urgent,normal DefMemPerCPU=100")
	tell("conf", "PartitionName=own Nodes=ALL ExclusiveUser=YES DefMemPerCPU=100")
	tell("conf", "PartitionName=graced Nodes=ALL GraceTime=60 PriorityTier=0 DefMemPerCPU=100")
}

function draw_cluster(  params) {
	tell("cluster", "--priority\t" any_of("basic multifactor"))
	params = "bf_interval=30,bf_continue,bf_max_job_test=1000"
	if (chance(67)) params = params ",sched_interval=-1,defer"
	if (chance(15)) params = params ",bf_one_resv_per_job"
	if (chance(15)) params = params ",preempt_youngest_first"
	if (chance(10)) params = params ",assoc_limit_stop"
	if (chance(10)) params = params ",enable_user_top"
	if (chance(10)) params = params ",bf_hetjob_prio=" any_of("min avg max")
	tell("cluster", "--sched-params\t" params)
	if (chance(25)) tell("cluster", "--lesser\t" int(nodes / 4))
	if (chance(20)) tell("cluster", "--threads\t2")
	preempt = any_of("none qos qos qos partition_prio")
	preempt_mode = one_of("REQUEUE|REQUEUE|CANCEL|SUSPEND,GANG")
	tell("conf", "AllowSpecResourcesUsage=YES")
	tell("conf", "AccountingStorageEnforce=associations,limits,qos")
	tell("conf", "PriorityWeightQOS=1000")
	tell("conf", "PriorityWeightJobSize=100")
	tell("conf", "PriorityWeightAge=10")
	if (preempt != "none") {
		tell("conf", "PreemptType=preempt/" preempt)
		tell("conf", "PreemptMode=" preempt_mode)
		if (chance(20)) tell("conf", "PreemptExemptTime=00:02:00")
	}
	if (chance(20)) tell("conf", "CompleteWait=30")
	if (chance(30)) tell("conf", "DependencyParameters=kill_invalid_depend")
	draw_partitions()
}

function qos(name, what) {
	tell("setup", "sacctmgr -iQ modify qos " name " set " what)
}

function draw_limits() {
	tell("setup", "sacctmgr -iQ add qos low,urgent,capped,group,long")
	qos("urgent", "priority=100" (preempt == "qos" ? " preempt=low" : ""))
	if (preempt == "qos" && chance(30))
		qos("low", "gracetime=60")
	qos("capped", "maxjobspu=2 maxtrespu=gres/gpu=" gpus)
	qos("group", "grptres=cpu=" cpus ",gres/gpu=" gpus)
	qos("long", "maxwall=60 maxtresperjob=node=" int(nodes / 2) \
		(chance(50) ? " flags=partitiontimelimit" : ""))
	if (chance(20)) qos("low", "flags=noreserve")
	tell("setup", "sacctmgr -iQ modify account a1,a2,a3,a4 set" \
		" qos=normal,low,urgent,capped,group,long")
	if (chance(40))
		tell("setup", "sacctmgr -iQ modify account a2 set grptres=cpu=" 2 * cpus)
	if (chance(30))
		tell("setup", "sacctmgr -iQ modify user u3 set maxjobs=2")
}

function reservation(name, what) {
	if (match(what, /users=u[0-9]/)) {
		open_to[name] = substr(what, RSTART + 6, RLENGTH - 6)
		reservations[++reservation_count] = name
	}
	tell("setup", "scontrol create reservation=" name " " what)
}

function draw_reservations(  k) {
	if (chance(50))
		reservation("ahead", "nodes=" quarter(1) " users=u1,u2 start=now+" from(6, 20) \
			"minutes duration=" from(5, 20))
	if (chance(40))
		reservation("maint", "nodes=" any_of("ALL " quarter(2)) " users=root flags=maint" \
			(chance(50) ? ",ignore_jobs" : "") " start=now+" from(15, 40) \
			"minutes duration=" from(5, 15))
	if (chance(25))
		reservation("flexible", "nodes=" quarter(3) " users=u3 flags=flex start=now+" \
			from(5, 15) "minutes duration=15")
	if (chance(25))
		reservation("magnet", "nodes=" quarter(3) " users=u4 flags=magnetic,overlap" \
			" start=now+" from(1, 10) "minutes duration=20")
	if (chance(20))
		reservation("everyday", "nodes=n" nodes " users=u1 flags=daily start=now+" \
			from(10, 20) "minutes duration=10")
	if (chance(20))
		reservation("cores", "corecnt=4 nodes=n2 users=u2 flags=overlap start=now+" \
			from(5, 15) "minutes duration=15")
	if (chance(20))
		reservation("licences", "licenses=tool:3 flags=any_nodes users=u1 start=now+" \
			from(5, 15) "minutes duration=15")
	if (chance(15))
		reservation("floats", "nodes=n5 users=u4 flags=time_float,overlap" \
			" start=now+10minutes duration=5")
	for (k = 3; k <= nodes; k += 3)
		if (chance(30))
			tell("setup", "scontrol update nodename=n" k " weight=" from(2, 30))
}

# earlier: a job that came before, 0 if there is none
function earlier() { return job > 1 ? from(job > 12 ? job - 12 : 1, job - 1) : 0 }

function add_waits(  other) {
	other = earlier()
	if (other && chance(12))
		add("--dependency=" any_of("after afterany afterok afterok afternotok") \
			":{" other "}")
	else if (other && chance(2))
		add("--dependency=after:{" other "}+2")
	else if (chance(4))
		add("--dependency=singleton --job-name=s" from(1, 2))
	if (chance(5)) add("--begin=now+" 60 * from(1, 8))
	if (chance(4)) add("--deadline=now+" from(25, 60) "minutes")
	if (chance(4)) add("--hold")
}

function add_rank() {
	if (line !~ /--partition/ && chance(30))
		add("--partition=" any_of("high low short picky own graced main,high short,main" \
			" low,high,main"))
	if (chance(35))
		add("--qos=" any_of("low low urgent urgent capped group long low,urgent" \
			" capped,group"))
	if (chance(8)) add("--nice=" from(1, 200))
	if (reservation_count && chance(10))
		add("--reservation=" reservations[from(1, reservation_count)])
	if (chance(4)) add(any_of("--no-requeue --requeue"))
	if (chance(2)) add("--licenses=lm:" from(1, 2))
}

function add_times() {
	minutes_run = few(10)
	run = 60 * minutes_run - from(0, 50)
	limit = minutes_run + 2 + draw(1 + minutes_run)
	if (chance(5)) limit = minutes_run > 1 ? minutes_run - 1 : 1
	add("--time=" limit)
	if (chance(8)) add("--time-min=" few(limit))
}

# As for a smaller cluster: most jobs are to run, and many at once.
function draw_request(  all_nodes, all_cpus) {
	all_nodes = nodes
	all_cpus = cpus
	nodes = int(nodes / 2)
	cpus = int(cpus / 2)
	do {
		line = ""
		add_gpus()
		add_amounts()
		if (chance(70)) add_sharing()
		if (chance(70)) add_cores()
		if (chance(70)) add_layout()
	} while (never_taken())
	nodes = all_nodes
	cpus = all_cpus
}

# what sbatch itself refuses, or Slurm mostly
function never_taken(  list) {
	if (line ~ /tres-per-task.*cpus-per-task|ntasks-per-node.*ntasks-per-gpu/ || \
		line ~ /ntasks-per-gpu.*ntasks-per-node/)
		return 1
	if (match(line, /gpus-per-task=[a-z0-9:]+ --ntasks=[0-9]+/)) {
		list = substr(line, RSTART, RLENGTH)
		return substr(list, match(list, /[0-9]+ /)) * \
			substr(list, match(list, /[0-9]+$/)) > 2 * gpus && chance(80)
	}
	return 0
}

function draw_job(at,  kind, who) {
	draw_request()
	who = "u" from(1, 4)
	if (chance(5)) {
		kind = line
		draw_request()
		add_times()
		line = kind " --time=" limit " : " line
	} else {
		add_times()
		if (chance(12))
			add("--array=" any_of("1-3 1-6%2 0-8:2%3 1-4 2,4,7"))
		add_waits()
		add_rank()
	}
	if (match(line, /--reservation=[a-z]+/))
		who = open_to[substr(line, RSTART + 14, RLENGTH - 14)]
	print "do\t" at "\t" job "\t" who "\t" (chance(4) ? "fail" : run) "\t" line
}

function act(at, what) { print "do\t" at "\t0\troot\t-\t" what }

function draw_act(at,  of, what) {
	of = earlier()
	what = draw(100)
	if (what < 15)
		act(at, "scancel {" of "}")
	else if (what < 20)
		act(at, "scontrol hold {" of "}")
	else if (what < 40)
		act(at, "scontrol release {" of "}")
	else if (what < 60)
		act(at, "scontrol update jobid={" of "} " any_of("timelimit=4 priority=5000" \
			" priority=1 partition=main partition=low,main numnodes=1 nice=20" \
			" qos=urgent qos=low features= starttime=now+60 excnodelist=n1" \
			" licenses=lm:1"))
	else if (what < 66)
		act(at, "scontrol suspend {" of "}")
	else if (what < 72)
		act(at, "scontrol requeue {" of "}")
	else if (what < 78) {
		of = from(1, nodes)
		act(at, "scontrol update nodename=n" of " state=drain reason=round")
		act(at + 60 * from(2, 8), "scontrol update nodename=n" of " state=resume")
	} else if (what < 83)
		act(at, "scontrol reconfigure")
	else if (what < 90)
		act(at, "scontrol update partitionname=" any_of("low short own high") " " \
			any_of("state=down state=inactive state=drain maxtime=4 maxnodes=1"))
	else if (what < 95)
		act(at, "sacctmgr -iQ modify qos " any_of("low normal") " set " \
			any_of("maxjobspu=2 grptres=cpu=12 maxtresperjob=gres/gpu=2 grpjobs=4"))
	else
		act(at, "scontrol top {" of "}")
}

# all that an administrator shut is opened again, so that who can run does
function draw_end(at,  k, all) {
	all = "low short own high"
	split(all, part, " ")
	for (k = 1; k <= 4; k++)
		act(at, "scontrol update partitionname=" part[k] " state=up maxnodes=unlimited" \
			" maxtime=" (part[k] == "short" ? 5 : "infinite"))
	act(at, "sacctmgr -iQ modify qos low,normal set maxjobspu=-1 grptres=cpu=-1" \
		" maxtresperjob=gres/gpu=-1 grpjobs=-1")
	act(at, "resume-all")
}

BEGIN {
	draw_cluster()
	draw_topology()
	draw_limits()
	draw_reservations()
	for (job = 1; job <= jobs; job++) {
		at = int((job - 1) * minutes * 60 / jobs)
		draw_job(at)
		if (job > 5 && chance(22))
			draw_act(at + 2)
	}
	draw_end(minutes * 60 + 300)
}
