/* Guard-page buffers by mmap. */
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CANARY 0xa5

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void map_region(test_guard *guard, size_t bytes)
{
    size_t page = page_bytes();
    size_t mapped = (bytes + page - 1) / page * page;
    if (guard->base != NULL && guard->mapped >= mapped) {
        return;
    }
    test_guard_free(guard);
    unsigned char *all = mmap(NULL, mapped + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, mapped, PROT_READ | PROT_WRITE) != 0) {
        perror("guard pages");
        exit(2);
    }
    guard->base = all + page;
    guard->mapped = mapped;
}

static size_t slack_before(const test_guard *guard)
{
    size_t room = (size_t)(guard->data - guard->base);
    return room < TEST_GUARD_SLACK ? room : TEST_GUARD_SLACK;
}

static size_t slack_behind(const test_guard *guard)
{
    size_t room = (size_t)(guard->base + guard->mapped - (guard->data + guard->bytes));
    return room < TEST_GUARD_SLACK ? room : TEST_GUARD_SLACK;
}

unsigned char *test_guard_place(test_guard *guard, size_t bytes, size_t align, test_place place)
{
    map_region(guard, bytes + 4 * align + 2 * TEST_GUARD_SLACK);
    guard->bytes = bytes;
    if (bytes == 0) {
        guard->data = guard->base;
        return guard->base - align;
    }
    uintptr_t end = (uintptr_t)(guard->base + guard->mapped);
    uintptr_t at = (uintptr_t)guard->base;
    if (place == TEST_PLACE_END) {
        at = (end - bytes) / align * align;
    } else if (place == TEST_PLACE_ODD) {
        at = (end - bytes - TEST_GUARD_SLACK) / align * align;
        if ((at / align) % 2 == 0) {
            at -= align;
        }
    }
    guard->data = guard->base + (at - (uintptr_t)guard->base);
    memset(guard->data - slack_before(guard), CANARY, slack_before(guard));
    memset(guard->data + bytes, CANARY, slack_behind(guard));
    return guard->data;
}

static bool all_canary(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (bytes[i] != CANARY) {
            return false;
        }
    }
    return true;
}

bool test_guard_intact(const test_guard *guard)
{
    if (guard->bytes == 0) {
        return true;
    }
    return all_canary(guard->data - slack_before(guard), slack_before(guard)) &&
           all_canary(guard->data + guard->bytes, slack_behind(guard));
}

void test_guard_free(test_guard *guard)
{
    if (guard->base != NULL) {
        size_t page = page_bytes();
        munmap(guard->base - page, guard->mapped + 2 * page);
    }
    memset(guard, 0, sizeof *guard);
}
