#include "supply.h"

#include "field_table.h"

#if SUPPLY_TOLD
bool supply_scan(struct supply *s, uint16_t count)
{
    bool strong = count >= SUPPLY_STRONG_COUNT;
    if (strong == s->strong) {
        s->scans = 0;
        return false;
    }
    if (++s->scans < SUPPLY_SCANS(strong ? SUPPLY_STRONG_MS : SUPPLY_WEAK_MS))
        return false;
    s->strong = strong;
    s->scans = 0;
    return true;
}
#endif
