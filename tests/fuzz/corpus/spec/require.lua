return require "../x", require "y"
