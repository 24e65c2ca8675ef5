/* Source text with a line table, and spans that point into it. Every value that the user wrote has
 * a span, its position in the source. */
#ifndef SG_BASE_SOURCE_H
#define SG_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

typedef struct sg_source {
    const char *name; /* as the user wrote the path, or "<command line>", "<stdin>" */
    const char *text; /* len bytes and a NUL; may itself contain NUL bytes */
    size_t len;
    size_t *lines; /* byte offset of the start of each line */
    size_t nlines; /* at least 1 */
    bool binary;   /* no text and no lines; positions are offsets: "model.onnx: byte 1234" */
} sg_source;

/* Bytes [begin, end) of source. source == NULL: no position (command-line errors only). */
typedef struct sg_span {
    const sg_source *source;
    size_t begin;
    size_t end;
} sg_span;

/* Copies name and text into the arena and builds the line table. Lines end with \n or \r\n. */
const sg_source *sg_source_new(sg_arena *arena, const char *name, const char *text, size_t len);

/* A binary file of size bytes that is not kept in memory: text is "", there is one empty line, and
 * spans have an empty text. A reader that learns the size at the end of the file may increase len
 * until then; spans must be within it. */
sg_source *sg_source_binary(sg_arena *arena, const char *name, size_t size);

sg_span sg_span_make(const sg_source *source, size_t begin, size_t end);
sg_span sg_span_none(void);
/* The span of a 1-based line without indentation and line ending; empty if out of range. */
sg_span sg_source_line_span(const sg_source *source, size_t line);
/* 1-based line and 1-based column in bytes; in a binary the line is 1. */
void sg_source_locate(const sg_source *source, size_t offset, size_t *line, size_t *column);
/* Text of a 1-based line without its line ending. */
sg_str sg_source_line(const sg_source *source, size_t line);
sg_str sg_span_text(sg_span span);

#endif
