/* The loop over seeds, shrinking, and the report. Independent of the property. */
#include "runner.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Printed if a run crashes; a signal handler cannot reach anything else. */
static char crash_text[160];

static void print_crash(void)
{
    ssize_t written = write(STDERR_FILENO, crash_text, strlen(crash_text));
    (void)written;
}

/* From the sanitizers' runtime, if it is linked: they exit without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void on_crash(int signal_number)
{
    print_crash();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int64_t from_environment(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);
    int64_t value = otherwise;
    if (text != NULL && !sg_parse_int64(sg_str_from(text), &value)) {
        fprintf(stderr, "%s is not a number: '%s'\n", name, text);
        exit(2);
    }
    return value;
}

bool property_fails(sg_buf *why, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    sg_buf_vprintf(why, fmt, ap);
    va_end(ap);
    sg_buf_addc(why, '\n');
    return false;
}

/* Replaces the case by simpler neighbours that also fail, as long as there are any. */
static void shrink(const property *p, uint64_t seed, split_case *c)
{
    bool smaller = true;
    for (int tried = 0; smaller && tried < 20000;) {
        smaller = false;
        split_case next;
        for (int k = 0; !smaller && case_shrink(c, k, &next); k++) {
            tried++;
            sg_buf why = {0};
            if (memcmp(&next, c, sizeof next) != 0 && !p->holds(&next, seed, &why)) {
                *c = next;
                smaller = true;
            }
            sg_buf_free(&why);
        }
    }
}

static bool run(const property *p, uint64_t seed)
{
    rng r = {seed};
    split_case c;
    p->generate(&r, &c);
    snprintf(crash_text, sizeof crash_text,
             "\nproperty '%s' crashed; again with SPLITGEN_SEED=%" PRIu64 " SPLITGEN_RUNS=1\n",
             p->name, seed);
    sg_buf why = {0};
    bool ok = p->holds(&c, seed, &why);
    if (!ok) {
        shrink(p, seed, &c);
        sg_buf_free(&why);
        (void)p->holds(&c, seed, &why);
        sg_buf spec = {0};
        case_print(&c, &spec);
        fprintf(stderr,
                "property '%s' does not hold; again with SPLITGEN_SEED=%" PRIu64
                " SPLITGEN_RUNS=1\n%sthe case, shrunk:\n%s",
                p->name, seed, why.ptr, spec.ptr);
        sg_buf_free(&spec);
    }
    sg_buf_free(&why);
    return ok;
}

int property_main(const property *properties, int count)
{
    uint64_t seed = (uint64_t)from_environment("SPLITGEN_SEED", 1);
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash);
    signal(SIGFPE, on_crash);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(print_crash);
    }
    for (int i = 0; i < count; i++) {
        int64_t runs = from_environment("SPLITGEN_RUNS", properties[i].runs / RUNS_DIVISOR);
        for (int64_t n = 0; n < runs; n++) {
            if (!run(&properties[i], seed + (uint64_t)n)) {
                return 1;
            }
        }
        printf("%s: %" PRId64 " runs from seed %" PRIu64 "\n", properties[i].name, runs, seed);
    }
    return 0;
}

bool every_isa_ran(int64_t bodies[2][SG_ISA_COUNT])
{
    static const char *const names[] = {
#define X(id, ...) #id,
#include "plan/machine/isa.inc"
#undef X
    };
    bool all = true;
    for (int i = 0; i < SG_ISA_COUNT && getenv("SPLITGEN_RUNS") == NULL; i++) {
        if (bodies[0][i] == 0 || bodies[1][i] == 0) {
            fprintf(stderr, "no body was made for %s\n", names[i]);
            all = false;
        }
    }
    return all;
}
