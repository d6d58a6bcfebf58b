#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the examples in Python of doc/user/examples do as they say, in an image with PyTorch
#
# LW_EXAMPLES_PYTHON is a directory of Python packages, as PYTHONPATH has it, with submitit or
# lightning, which Debian has not: then these examples are run, too.
unset LW_CLUSTER_POOL # other tests have clusters of another image
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"
. "$(dirname "$0")/examples.sh"
need_containers
MS_HOME=$top/contrib/minislurm
for part in ui host release image derived; do
	# shellcheck source=/dev/null
	. "$MS_HOME/lib/$part.sh"
done
image_make
derived_make python "$MS_HOME/image/python" PyTorch || bail "no image with PyTorch"
MS_IMAGE=$(derived_path python "$MS_HOME/image/python")
export MS_IMAGE

examples_begin --nodes 2 --gpus 2 --clock 1
# the real ones, and nodes that are found by their names
sh_on 'rm -f /usr/local/bin/torchrun /usr/local/bin/python
	echo 127.0.0.1 n1 n2 >> /etc/hosts'
sh_on 'python3 -c "import platform, torch
print(\"# Python\", platform.python_version(), \"PyTorch\", torch.__version__)"'
example "PyTorch with torchrun" torchrun 120 'sbatch --parsable job.sh' torchrun-%j.out
ok "each of its steps was done once" example_whole 120

# has PACKAGE: was it given to this test?
has() { [ -n "${LW_EXAMPLES_PYTHON:-}" ] && [ -d "$LW_EXAMPLES_PYTHON/$1" ]; }
if has submitit || has lightning; then
	tar -C "$LW_EXAMPLES_PYTHON" -chf - . |
		with_input bash -c 'mkdir -p /opt/python &&
			tar -C /opt/python -xf - --no-same-owner'
fi
if has lightning; then
	sh_on 'PYTHONPATH=/opt/python python3 -c "import lightning
print(\"# Lightning\", lightning.__version__)"'
	example Lightning lightning 120 'PYTHONPATH=/opt/python sbatch --parsable job.sh' \
		lightning-%j.out
fi
if has submitit; then
	sh_on 'PYTHONPATH=/opt/python python3 -c "import submitit
print(\"# submitit\", submitit.__version__)"'
	example submitit submitit 120 'PYTHONPATH=/opt/python python3 train.py' \
		submitit-%j/%j_0_log.out
	ok "each of its steps was done once" example_whole 120
fi
finish
