/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a load for one GPU, by the driver's own library alone: no CUDA need be installed. */
/*
 * usage: load SECONDS BUSY_MS IDLE_MS
 *
 * A kernel on all multiprocessors runs again and again for BUSY_MS, then nothing for IDLE_MS.
 * Prints how many kernels ran in a second of work: of two loads on one GPU each has fewer.
 * LW_PROOF_CUDA is the library (libcuda.so.1). Exit code 1 if there is none, or it fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define BLOCKS  1024
#define THREADS 256
#define ROUNDS  20000

/* Multiplies and adds, without any memory but one word at the end. */
static const char kernel[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
			     ".visible .entry spin(.param .u64 out, .param .u32 rounds)\n{\n"
			     "\t.reg .pred %p;\n\t.reg .f32 %f;\n\t.reg .u32 %n, %r;\n"
			     "\t.reg .u64 %a;\n"
			     "\tld.param.u64 %a, [out];\n\tld.param.u32 %n, [rounds];\n"
			     "\tmov.f32 %f, 0f3F800000;\n\tmov.u32 %r, 0;\n"
			     "again:\n\tfma.rn.f32 %f, %f, 0f3F7FFFFF, 0f3A000000;\n"
			     "\tadd.u32 %r, %r, 1;\n\tsetp.lt.u32 %p, %r, %n;\n"
			     "\t@%p bra again;\n"
			     "\tcvta.to.global.u64 %a, %a;\n\tst.global.f32 [%a], %f;\n"
			     "\tret;\n}\n";

/* What is used of the driver's interface, whose names and numbers stay. */
static struct {
	int (*init)(unsigned flags);
	int (*device)(int *device, int index);
	int (*context)(void **context, unsigned flags, int device);
	int (*load)(void **module, const void *image);
	int (*function)(void **function, void *module, const char *name);
	int (*alloc)(unsigned long long *address, size_t bytes);
	int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
		      unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
		      void **extra);
	int (*wait)(void);
} cuda;

static const struct {
	const char *name;
	void *at;
} symbols[] = {
	{ "cuInit", &cuda.init },
	{ "cuDeviceGet", &cuda.device },
	{ "cuCtxCreate_v2", &cuda.context },
	{ "cuModuleLoadData", &cuda.load },
	{ "cuModuleGetFunction", &cuda.function },
	{ "cuMemAlloc_v2", &cuda.alloc },
	{ "cuLaunchKernel", &cuda.launch },
	{ "cuCtxSynchronize", &cuda.wait },
};

static int open_driver(void)
{
	const char *path = getenv("LW_PROOF_CUDA");
	void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);

	if (!library) {
		fprintf(stderr, "load: %s\n", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		*(void **)symbols[i].at = dlsym(library, symbols[i].name);
		if (!*(void **)symbols[i].at) {
			fprintf(stderr, "load: no %s\n", symbols[i].name);
			return -1;
		}
	}
	return 0;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int failed(const char *what, int rc)
{
	if (rc)
		fprintf(stderr, "load: %s: %d\n", what, rc);
	return rc;
}

/* A function on the GPU, and a word of its memory. */
static int prepare(void **function, unsigned long long *word)
{
	void *context, *module;
	int device;

	return failed("cuInit", cuda.init(0)) || failed("cuDeviceGet", cuda.device(&device, 0)) ||
	       failed("cuCtxCreate", cuda.context(&context, 0, device)) ||
	       failed("cuModuleLoadData", cuda.load(&module, kernel)) ||
	       failed("cuModuleGetFunction", cuda.function(function, module, "spin")) ||
	       failed("cuMemAlloc", cuda.alloc(word, 512u << 20));
}

static int spin(void *function, unsigned long long word)
{
	unsigned rounds = ROUNDS;
	void *params[] = { &word, &rounds };

	return failed("cuLaunchKernel", cuda.launch(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL,
						    params, NULL)) ||
	       failed("cuCtxSynchronize", cuda.wait());
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 10, busy_s = argc > 2 ? atof(argv[2]) / 1e3 : 1;
	double idle_s = argc > 3 ? atof(argv[3]) / 1e3 : 0, end, worked_s = 0;
	unsigned long long word, kernels = 0;
	void *function;

	if (open_driver() || prepare(&function, &word))
		return 1;
	end = now_s() + seconds;
	while (now_s() < end) {
		double begin = now_s();

		do {
			if (spin(function, word))
				return 1;
			kernels++;
		} while (now_s() < begin + busy_s);
		worked_s += now_s() - begin;
		usleep((useconds_t)(idle_s * 1e6));
	}
	printf("%.2f kernels a second\n", (double)kernels / worked_s);
	return 0;
}
