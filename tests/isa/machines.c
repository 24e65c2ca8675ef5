/* Runs the runtime's own detection on every machine of machines.h with every possible set of
 * instructions; models/x86/cpuid.h supplies the CPUID results. Prints the machines that it
 * distinguishes, a line `ID ISAS` each, for the tests that run kernels as on each of them. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include <splitgen/vector.h>

#include <cpuid.h>

#define ALL_ISAS (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI)

static unsigned asked(const isa_machine *machine, unsigned isas)
{
    char number[16];

    snprintf(number, sizeof number, "%u", isas);
    setenv("SPLITGEN_TEST_MACHINE", machine->id, 1);
    setenv("SPLITGEN_TEST_ISAS", number, 1);
    splitgen_cpu_answer = 0;
    return splitgen_cpu();
}

/* A machine with all instruction sets has the traits of its row, and of any row with the same
 * vendor and family and more required instruction sets. */
static unsigned expected_traits(const isa_machine *machine, unsigned isas)
{
    unsigned traits = 0;

    for (size_t i = 0; i < ISA_MACHINES; ++i) {
        const isa_machine *row = &isa_machines[i];
        const int maker = row->signature == machine->signature && row->family <= machine->family &&
                          (strcmp(row->id, "INTEL") == 0 || strcmp(row->id, "AMD") == 0);
        const int same = row->signature == machine->signature && row->family == machine->family;
        if ((maker || same) && (isas & row->needs) == row->needs) {
            traits = row->traits;
        }
    }
    return traits;
}

int main(void)
{
    static const unsigned sets[] = {0, SPLITGEN_CPU_AVX2, SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512,
                                    ALL_ISAS};
    unsigned seen[sizeof sets / sizeof sets[0] * ISA_MACHINES];
    size_t count = 0;

    for (size_t i = 0; i < ISA_MACHINES; ++i) {
        for (size_t set = 0; set < sizeof sets / sizeof sets[0]; ++set) {
            const unsigned answer = asked(&isa_machines[i], sets[set]);
            const unsigned expected = sets[set] | expected_traits(&isa_machines[i], sets[set]);
            size_t at = 0;
            if (answer != expected) {
                fprintf(stderr, "%s with %u: %#x, expected %#x\n", isa_machines[i].id, sets[set],
                        answer, expected);
                return 1;
            }
            while (at < count && seen[at] != answer) {
                ++at;
            }
            if (at == count) {
                seen[count++] = answer;
                printf("%s %u\n", isa_machines[i].id, sets[set]);
            }
        }
    }
    return 0;
}
