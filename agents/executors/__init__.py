"""Child processes of the agent: the one subprocess helper, and the entries of scan and job."""
