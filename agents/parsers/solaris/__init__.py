"""Pure functions that turn the text of Solaris programs into facts; nothing here runs anything."""
