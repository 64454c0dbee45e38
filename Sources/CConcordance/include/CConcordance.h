#ifndef CCONCORDANCE_H
#define CCONCORDANCE_H

/* Makes every connection that the package opens know search indexes. It runs by itself before `main`. */
void cconcordance_link(void);

#endif
