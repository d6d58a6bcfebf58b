function slurm_job_submit() return slurm.SUCCESS end
