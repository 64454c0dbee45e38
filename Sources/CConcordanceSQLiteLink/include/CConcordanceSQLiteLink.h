#ifndef CSQLITE_LINK_H
#define CSQLITE_LINK_H

/* Makes the package call the SQLite library that is linked into this program. It runs by itself before `main`. */
int csqlite_link(void);

#endif
