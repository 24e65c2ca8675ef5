# share: percentage of the promised counts that runs (SPLITGEN_SHARE in the environment, for continuous integration).
set(share 100)
if(NOT "$ENV{SPLITGEN_SHARE}" STREQUAL "")
    set(share "$ENV{SPLITGEN_SHARE}")
endif()
