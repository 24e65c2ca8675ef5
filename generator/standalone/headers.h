/* The headers of include/splitgen/ and the sources of the runtime, embedded as text at build time.
 */
#ifndef SG_STANDALONE_HEADERS_H
#define SG_STANDALONE_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_header {
    const char *name;          /* without folders: "rows.h", "splitgen_cpu.c" */
    const unsigned char *text; /* followed by NUL */
    size_t len;
} sg_header;

extern const sg_header sg_headers[];
extern const size_t sg_header_count;

bool sg_header_is_source(const sg_header *header); /* whether it is a source of the runtime */

#endif
