-- Requires a file that requires this one.
return require "first"
