-- SPDX-License-Identifier: GPL-2.0-or-later
-- Leeway: what an administrator would write in Lua to the same end, to compare the cost with.
--
-- It reads the same rules (rules.lua, made from tag_rules.def), looks for them in the same
-- places and adds up the same points, but takes quotes and substitutions lightly.

local unpack = table.unpack or unpack -- Lua 5.1 has it elsewhere
local rules = dofile("/etc/slurm/rules.lua")

-- Patterns: those without '*' in a table by place, the others as patterns of Lua.
local exact, globs = {}, {}
for _, rule in ipairs(rules) do
	local name, place, points, kind, patterns = unpack(rule)
	local entry = { name = name, points = points, kind = kind }
	exact[place] = exact[place] or {}
	globs[place] = globs[place] or {}
	for pattern in patterns:lower():gmatch("[^|]+") do
		if pattern:find("*", 1, true) then
			local lua = pattern:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0")
			lua = lua:gsub("%*", ".*")
			table.insert(globs[place], { "^" .. lua .. "$", entry })
		else
			exact[place][pattern] = entry
		end
	end
end

local function note(found, entry)
	local old = found[entry.name]
	if not old or entry.points > old.points then
		found[entry.name] = entry
	end
end

local function judge(found, place, text)
	text = text:lower()
	local entry = exact[place][text]
	if entry then
		note(found, entry)
	end
	for _, glob in ipairs(globs[place]) do
		if text:find(glob[1]) then
			note(found, glob[2])
		end
	end
end

local keywords = { ["if"] = 1, ["then"] = 1, ["else"] = 1, ["elif"] = 1, ["do"] = 1,
	["while"] = 1, ["until"] = 1, ["!"] = 1, ["{"] = 1, nohup = 1, eval = 1 }
local wrappers = { srun = 1, mpirun = 1, mpiexec = 1, time = 1, env = 1, exec = 1, nice = 1,
	numactl = 1, timeout = 1, xargs = 1 }
local containers = { singularity = 1, apptainer = 1, docker = 1, podman = 1, enroot = 1 }

local function base(word)
	return word:match("([^/]*)$")
end

local function arguments(found, words, from)
	for i = from, #words do
		judge(found, "ARGUMENT", words[i])
	end
end

local function python(found, words, i)
	while words[i] and words[i]:sub(1, 1) == "-" do
		if words[i] == "-m" then
			if words[i + 1] then
				judge(found, "MODULE", words[i + 1])
				arguments(found, words, i + 2)
			end
			return
		elseif words[i] == "-c" then
			return
		end
		i = i + 1
	end
	if words[i] then
		judge(found, "ENTRY", base(words[i]))
		arguments(found, words, i + 1)
	end
end

local function options(words, i)
	while words[i] and words[i]:sub(1, 1) == "-" do
		i = i + 1
		if not words[i - 1]:find("=", 1, true) and #words[i - 1] == 2 and words[i] and
			words[i]:sub(1, 1) ~= "-" then
			i = i + 1
		end
	end
	return i
end

local function program(found, words, i)
	local name = base(words[i])
	if name:find("^i?python[0-9.]*$") then
		python(found, words, i + 1)
		return
	end
	judge(found, "PROGRAM", name)
	if words[i + 1] then
		judge(found, "PROGRAM", name .. " " .. words[i + 1])
	end
	if name:find("%.py$") or name:find("%.sh$") then
		judge(found, "ENTRY", name)
		arguments(found, words, i + 1)
	end
end

local function command(found, words)
	local i = 1
	while words[i] do
		local word = words[i]
		local name = base(word)
		local variable = word:match("^([%a_][%w_]*)=")
		if keywords[word] then
			i = i + 1
		elseif variable then
			judge(found, "VARIABLE", variable)
			i = i + 1
		elseif word == "export" then
			for k = i + 1, #words do
				judge(found, "VARIABLE", words[k]:match("^[%w_]*"))
			end
			return
		elseif word == "module" or word == "ml" then
			for k = i + 1, #words do
				judge(found, "LOADED", words[k])
			end
			return
		elseif word == "source" or word == "conda" or word == "." then
			local what = words[#words]:gsub("/bin/activate$", "")
			judge(found, "ENVIRONMENT", base(what))
			return
		elseif containers[name] then
			i = options(words, i + 2)
			if words[i] then
				judge(found, "IMAGE", words[i])
			end
			i = i + 1
		elseif wrappers[name] then
			i = options(words, i + 1)
		else
			program(found, words, i)
			return
		end
	end
end

local function judge_script(found, script)
	local mark
	for line in script:gmatch("[^\n]+") do
		if mark then
			if line == mark then
				mark = nil
			end
		elseif line:sub(1, 1) ~= "#" then
			for part in line:gmatch("[^;|&]+") do
				local words = {}
				for word in part:gmatch("%S+") do
					words[#words + 1] = word:gsub("[\"']", "")
				end
				command(found, words)
			end
			mark = line:match("<<%-?%s*['\"]?([%w_]+)")
		end
	end
end

local function verdict(found, gpu)
	local points, votes, names = gpu and 25 or 0, {}, {}
	for name, entry in pairs(found) do
		points = points + entry.points
		if entry.points > 0 and entry.kind ~= "NONE" then
			votes[entry.kind] = (votes[entry.kind] or 0) + entry.points
		end
		names[#names + 1] = name
	end
	local kind, best = "TRAINING", 0
	for k, v in pairs(votes) do
		if v > best then
			kind, best = k, v
		end
	end
	if points < 50 then
		kind = "none"
	end
	return string.format("leeway:dl=%s,gang=0,conf=%d,ev=%s", kind:lower(),
		math.min(points, 100), table.concat(names, "+"))
end

function slurm_job_submit(job_desc, part_list, submit_uid)
	local found = {}
	local gres = (job_desc.tres_per_node or "") .. (job_desc.tres_per_job or "")
	if job_desc.script then
		judge_script(found, job_desc.script)
	end
	if job_desc.name then
		judge(found, "JOB_NAME", job_desc.name)
	end
	job_desc.admin_comment = verdict(found, gres:find("gpu", 1, true))
	return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
	return slurm.SUCCESS
end

return slurm.SUCCESS
