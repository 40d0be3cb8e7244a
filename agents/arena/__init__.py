"""An arena: agents valued by what their decisions cost, so that a few games tell them apart."""
