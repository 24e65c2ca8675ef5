/* Calls the function of a generated self-test as firmware would, with no more memory than its file
 * asks for.
 *   SELFTEST   the function
 *   MEMORY     bytes */
#include <stddef.h>

int SELFTEST(void *memory, size_t bytes, int all);

static unsigned char memory[MEMORY];

int main(void)
{
    return SELFTEST(memory, sizeof memory, 0);
}
