import type { Store } from '../src/db/store.ts'
import type { Clock } from '../src/lib/clock.ts'
import { openFastStore } from './fast-store.ts'

/**
 * Database engine of the services that tests open. SQLite, unless a test file replaces the
 * members before it loads tests and opens the first service.
 */
export const testEngine = {
  /** A test that opens the SQLite database file itself runs on SQLite only. */
  name: 'SQLite' as 'SQLite' | 'PostgreSQL',
  open: (dataDir: string, clock: Clock): Promise<Store> => openFastStore({ dataDir, clock }),
}
