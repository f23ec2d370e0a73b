import type { Store } from '../src/db/store.ts'
import type { Clock } from '../src/lib/clock.ts'
import { openQuickStore } from './quick-store.ts'

/**
 * Database engine of the services that tests open. SQLite, unless a test file changes it before it
 * opens the first service.
 */
export const engineOfTests = {
  open: (dataDir: string, clock: Clock): Promise<Store> => openQuickStore({ dataDir, clock }),
}
