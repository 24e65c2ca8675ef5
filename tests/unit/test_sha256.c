/* Tests of SHA-256 with the vectors NIST publishes for FIPS 180-4, and with the input in pieces
 * of all sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <cmocka.h>

#include "base/sha256.h"

static void expect(const char *bytes, size_t n, const char *want)
{
    sg_sha256 hash;
    char text[SG_SHA256_TEXT];
    sg_sha256_init(&hash);
    sg_sha256_add(&hash, bytes, n);
    sg_sha256_end(&hash, text);
    assert_string_equal(text, want);
}

static void known_messages(void **state)
{
    (void)state;
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
           "klmnopqrlmnopqrsmnopqrstnopqrstu",
           112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

static void a_million_letters(void **state)
{
    (void)state;
    char *letters = malloc(1000000);
    assert_non_null(letters);
    memset(letters, 'a', 1000000);
    expect(letters, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(letters);
}

/* Every length around the end of a block gives the same result in two pieces as in one. */
static void pieces_make_the_whole(void **state)
{
    (void)state;
    char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t n = 0; n <= sizeof bytes; n++) {
        sg_sha256 hash;
        char whole[SG_SHA256_TEXT];
        sg_sha256_init(&hash);
        sg_sha256_add(&hash, bytes, n);
        sg_sha256_end(&hash, whole);
        for (size_t cut = 0; cut <= n; cut++) {
            char text[SG_SHA256_TEXT];
            sg_sha256_init(&hash);
            sg_sha256_add(&hash, bytes, cut);
            sg_sha256_add(&hash, bytes + cut, n - cut);
            sg_sha256_end(&hash, text);
            assert_string_equal(text, whole);
        }
    }
}

static void files(void **state)
{
    (void)state;
    char path[] = "test_sha256_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "abc", 3), 3);
    assert_int_equal(close(fd), 0);
    char text[SG_SHA256_TEXT];
    assert_true(sg_sha256_file(path, text));
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(unlink(path), 0);
    assert_false(sg_sha256_file(path, text));
    assert_false(sg_sha256_file(".", text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_messages),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
