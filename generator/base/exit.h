/* The exit codes of the tool. */
#ifndef SG_BASE_EXIT_H
#define SG_BASE_EXIT_H

/* Scripts rely on these values. */
typedef enum sg_exit {
    SG_EXIT_OK = 0,
    SG_EXIT_INPUT = 1,  /* the input is wrong */
    SG_EXIT_USAGE = 2,  /* the command line is wrong */
    SG_EXIT_IO = 3,     /* a file could not be read or written, or memory ran out */
    SG_EXIT_STALE = 4,  /* --check found a difference */
    SG_EXIT_BUDGET = 5, /* an instruction, memory or unroll budget was hit */
    SG_EXIT_BUG = 70    /* a bug in splitgen */
} sg_exit;

#endif
