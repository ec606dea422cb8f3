"""Tries rules out: plays thousands of games of a game or a variant, keeps them, and says what is wrong with it.

Owns runs: which games they consist of, who plays them and where, the files they are kept in, and the report. Must not
know the table, the service or the panel; needs the extra 'workshop', which nothing else does.
"""
