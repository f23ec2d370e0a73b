import type { Store } from '../src/db/store.ts'
import type { Clock } from '../src/lib/clock.ts'
import { openFastStore } from './fast-store.ts'

/**
 * Database engine of the services that tests open. SQLite, unless a test file replaces `open`
 * before it opens the first service.
 */
export const testEngine = {
  open: (dataDir: string, clock: Clock): Promise<Store> => openFastStore({ dataDir, clock }),
}
