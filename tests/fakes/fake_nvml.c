/* A stand-in for libnvidia-ml.so.1, at the level of its C interface, for tests without a card.
 *
 * Own work: signatures and layouts follow the public NVML interface as nvidia-ml-py (BSD) declares it.
 * What it answers stands in the file named by FAKE_NVML_CONFIG; the file is read again whenever it
 * changes, so a test can lose a card or change a reading while a program runs.
 *
 *     driver=580.95.05        cuda=13000         fail_init=9
 *     [gpu]
 *     name=...                cores=1920         fail=15 (every call)
 *     fail.nvmlDeviceGetPowerUsage=4             (one function fails with this code)
 *     process=1234,1048576    graphics=99,na     (pid, bytes held; "na" as under WDDM)
 *     lost_after=20                              (the card is lost after so many calls)
 *     hang_after=20                              (no call returns any more after so many)
 *
 * Compiled with -DOLD_DRIVER it lacks the functions that drivers before 470 lack.
 *
 *     cc -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 -o libnvidia-ml.so.1 fake_nvml.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int result;
enum { OK = 0, UNINITIALIZED = 1, BAD_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7, GPU_LOST = 15, BAD_VERSION = 25 };

#define EXPORT __attribute__((visibility("default")))
#define MAX_CARDS 8
#define MAX_ITEMS 16

typedef unsigned long long u64;
typedef struct { unsigned pid; u64 bytes; int graphics; } process;
typedef struct { char function[64]; int code; } failure;
typedef struct {
    char name[96], uuid[80];
    u64 mem_total, mem_used;
    int cc_major, cc_minor, fail, lost_after, hang_after, calls;
    unsigned cores, bus_width, sm_max, sm_cur, mem_max, mem_cur, tdp_mw, power_mw, temp, util_gpu, util_mem;
    unsigned pcie_gen, pcie_width, pcie_gen_max, pcie_width_max;
    u64 energy_mj, throttle, has_throttle;
    process processes[MAX_ITEMS];
    failure failures[MAX_ITEMS];
    int process_count, failure_count;
} card;

static card cards[MAX_CARDS];
static int card_count, initialized, fail_init, cuda_version = 13000;
static char driver_version[80] = "580.95.05";
static struct timespec config_time;

static void set_value(card *d, const char *key, const char *value) {
#define TEXT(field) if (!strcmp(key, #field)) { snprintf(d->field, sizeof d->field, "%s", value); return; }
#define NUMBER(field) if (!strcmp(key, #field)) { d->field = strtoull(value, 0, 0); return; }
    TEXT(name) TEXT(uuid)
    NUMBER(mem_total) NUMBER(mem_used) NUMBER(cc_major) NUMBER(cc_minor) NUMBER(fail) NUMBER(lost_after) NUMBER(hang_after)
    NUMBER(cores) NUMBER(bus_width) NUMBER(sm_max) NUMBER(sm_cur) NUMBER(mem_max) NUMBER(mem_cur)
    NUMBER(tdp_mw) NUMBER(power_mw) NUMBER(temp) NUMBER(util_gpu) NUMBER(util_mem)
    NUMBER(energy_mj) NUMBER(throttle) NUMBER(has_throttle)
    NUMBER(pcie_gen) NUMBER(pcie_width) NUMBER(pcie_gen_max) NUMBER(pcie_width_max)
    if (!strncmp(key, "fail.", 5) && d->failure_count < MAX_ITEMS) {
        failure *f = &d->failures[d->failure_count++];
        snprintf(f->function, sizeof f->function, "%s", key + 5);
        f->code = atoi(value);
    }
    if ((!strcmp(key, "process") || !strcmp(key, "graphics")) && d->process_count < MAX_ITEMS) {
        process *p = &d->processes[d->process_count++];
        const char *comma = strchr(value, ',');
        p->pid = strtoul(value, 0, 10);
        p->bytes = !comma || !strcmp(comma + 1, "na") ? ~0ULL : strtoull(comma + 1, 0, 10);
        p->graphics = !strcmp(key, "graphics");
    }
}

static void load_config(void) {
    const char *path = getenv("FAKE_NVML_CONFIG");
    struct stat info;
    if (!path || stat(path, &info)) return;
    if (!memcmp(&info.st_mtim, &config_time, sizeof config_time)) return;
    FILE *file = fopen(path, "r");
    if (!file) return;
    config_time = info.st_mtim;
    char line[256];
    card *d = 0;
    card_count = fail_init = 0;
    int calls[MAX_CARDS];
    for (int i = 0; i < MAX_CARDS; i++) calls[i] = cards[i].calls;
    memset(cards, 0, sizeof cards);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "[gpu]") && card_count < MAX_CARDS) {
            d = &cards[card_count];
            d->calls = calls[card_count++];
            continue;
        }
        char *equals = strchr(line, '=');
        if (!equals || line[0] == '#') continue;
        *equals++ = 0;
        if (d) set_value(d, line, equals);
        else if (!strcmp(line, "driver")) snprintf(driver_version, sizeof driver_version, "%s", equals);
        else if (!strcmp(line, "cuda")) cuda_version = atoi(equals);
        else if (!strcmp(line, "fail_init")) fail_init = atoi(equals);
    }
    fclose(file);
}

static result check(card *d, const char *function) {
    if (!initialized) return UNINITIALIZED;
    load_config();
    if (d < cards || d >= cards + card_count) return BAD_ARGUMENT;
    if ((d->lost_after || d->hang_after) && ++d->calls > d->lost_after && d->lost_after) d->fail = GPU_LOST;
    while (d->hang_after && d->calls > d->hang_after) pause();
    if (d->fail) return d->fail;
    for (int i = 0; i < d->failure_count; i++)
        if (!strcmp(d->failures[i].function, function)) return d->failures[i].code;
    return OK;
}

#define CARD(handle) card *d = handle; { result code = check(d, __func__); if (code) return code; }
#define READING(function, field) \
    EXPORT result function(void *handle, unsigned *out) { CARD(handle) if (!d->field) return NOT_SUPPORTED; *out = d->field; return OK; }

EXPORT result nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    load_config();
    if (fail_init) return fail_init;
    initialized++;
    return OK;
}
EXPORT result nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
EXPORT result nvmlShutdown(void) { if (!initialized) return UNINITIALIZED; initialized--; return OK; }
EXPORT const char *nvmlErrorString(result code) { return code == GPU_LOST ? "GPU is lost" : code == 999 ? "Unknown Error" : "Error"; }

EXPORT result nvmlSystemGetDriverVersion(char *out, unsigned size) { snprintf(out, size, "%s", driver_version); return OK; }
EXPORT result nvmlSystemGetCudaDriverVersion(int *out) { *out = cuda_version; return OK; }
EXPORT result nvmlSystemGetProcessName(unsigned pid, char *out, unsigned size) {
    if (pid < 4000000) return NOT_FOUND;
    snprintf(out, size, "/opt/elsewhere/trainer --secret");
    return OK;
}
EXPORT result nvmlDeviceGetCount_v2(unsigned *out) { if (!initialized) return UNINITIALIZED; load_config(); *out = card_count; return OK; }
EXPORT result nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) {
    if (!initialized) return UNINITIALIZED;
    if ((int)index >= card_count) return BAD_ARGUMENT;
    *out = &cards[index];
    return cards[index].fail == GPU_LOST ? GPU_LOST : OK;
}

EXPORT result nvmlDeviceGetName(void *handle, char *out, unsigned size) {
    CARD(handle)
    if (strlen(d->name) + 1 > size) return TOO_SMALL;
    strcpy(out, d->name);
    return OK;
}
EXPORT result nvmlDeviceGetUUID(void *handle, char *out, unsigned size) {
    CARD(handle)
    if (strlen(d->uuid) + 1 > size) return TOO_SMALL;
    strcpy(out, d->uuid);
    return OK;
}
EXPORT result nvmlDeviceGetCudaComputeCapability(void *handle, int *major, int *minor) {
    CARD(handle)
    *major = d->cc_major;
    *minor = d->cc_minor;
    return OK;
}

struct memory_v1 { u64 total, free, used; };
EXPORT result nvmlDeviceGetMemoryInfo(void *handle, struct memory_v1 *out) {
    CARD(handle)
    out->total = d->mem_total;
    out->used = d->mem_used + d->mem_total / 50;
    out->free = out->total - out->used;
    return OK;
}

EXPORT result nvmlDeviceGetTotalEnergyConsumption(void *handle, u64 *out) {
    CARD(handle)
    if (!d->energy_mj) return NOT_SUPPORTED;
    *out = d->energy_mj;
    return OK;
}
static result throttle_reasons(card *d, u64 *out) { if (!d->has_throttle) return NOT_SUPPORTED; *out = d->throttle; return OK; }
EXPORT result nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, u64 *out) { CARD(handle) return throttle_reasons(d, out); }

READING(nvmlDeviceGetPowerManagementLimit, tdp_mw)
READING(nvmlDeviceGetPowerUsage, power_mw)
READING(nvmlDeviceGetCurrPcieLinkGeneration, pcie_gen)
READING(nvmlDeviceGetCurrPcieLinkWidth, pcie_width)
READING(nvmlDeviceGetMaxPcieLinkGeneration, pcie_gen_max)
READING(nvmlDeviceGetMaxPcieLinkWidth, pcie_width_max)

/* clock types: 0 graphics, 1 multiprocessors, 2 memory */
EXPORT result nvmlDeviceGetMaxClockInfo(void *handle, int type, unsigned *out) {
    CARD(handle)
    *out = type == 2 ? d->mem_max : d->sm_max;
    return *out ? OK : NOT_SUPPORTED;
}
EXPORT result nvmlDeviceGetClockInfo(void *handle, int type, unsigned *out) {
    CARD(handle)
    *out = type == 2 ? d->mem_cur : d->sm_cur;
    return *out ? OK : NOT_SUPPORTED;
}
EXPORT result nvmlDeviceGetTemperature(void *handle, int sensor, unsigned *out) {
    CARD(handle)
    if (sensor) return BAD_ARGUMENT;
    *out = d->temp;
    return OK;
}
struct utilization { unsigned gpu, memory; };
EXPORT result nvmlDeviceGetUtilizationRates(void *handle, struct utilization *out) {
    CARD(handle)
    out->gpu = d->util_gpu;
    out->memory = d->util_mem;
    return OK;
}

struct process_info { unsigned pid; u64 bytes; unsigned gpu_instance, compute_instance; };
static result list_processes(card *d, int graphics, unsigned *count, struct process_info *out) {
    unsigned found = 0, room = *count;
    for (int i = 0; i < d->process_count; i++) {
        if (d->processes[i].graphics != graphics) continue;
        if (out && found < room) out[found] = (struct process_info){ d->processes[i].pid, d->processes[i].bytes, ~0u, ~0u };
        found++;
    }
    *count = found;
    return found > room ? TOO_SMALL : OK;
}
#define PROCESSES(function, graphics) \
    EXPORT result function(void *handle, unsigned *count, struct process_info *out) { CARD(handle) return list_processes(d, graphics, count, out); }
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2, 0)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v2, 1)

#ifndef OLD_DRIVER
EXPORT result nvmlDeviceGetCurrentClocksEventReasons(void *handle, u64 *out) { CARD(handle) return throttle_reasons(d, out); }
EXPORT result nvmlSystemGetCudaDriverVersion_v2(int *out) { return nvmlSystemGetCudaDriverVersion(out); }
READING(nvmlDeviceGetNumGpuCores, cores)
READING(nvmlDeviceGetMemoryBusWidth, bus_width)
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, 0)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, 1)
struct memory_v2 { unsigned version; u64 total, reserved, free, used; };
EXPORT result nvmlDeviceGetMemoryInfo_v2(void *handle, struct memory_v2 *out) {
    CARD(handle)
    if (out->version != 0x02000028) return BAD_VERSION;
    out->total = d->mem_total;
    out->reserved = d->mem_total / 50;
    out->used = d->mem_used;
    out->free = out->total - out->used - out->reserved;
    return OK;
}
struct temperature { unsigned version; int sensor, temperature; };
EXPORT result nvmlDeviceGetTemperatureV(void *handle, struct temperature *out) {
    CARD(handle)
    out->temperature = d->temp;
    return OK;
}
#endif
