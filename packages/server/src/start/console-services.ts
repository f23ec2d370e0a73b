import { createHmac } from 'node:crypto'
import { createConsoleSessions } from '../auth/console-sessions.ts'
import { SignInAttempts } from '../auth/sign-in-attempts.ts'
import type { SignInLinks } from '../auth/sign-in-links.ts'
import type { MediaConfig } from '../config/media-config.ts'
import type { Store } from '../db/store.ts'
import type { ConsoleServices } from '../http/console/console-services.ts'
import type { Clock } from '../lib/clock.ts'
import type { Installation } from './installation.ts'

interface ConsoleDependencies {
  store: Store
  installation: Installation
  media: MediaConfig
  links: SignInLinks
  clock: Clock
}

export function createConsoleServices({ store, installation, media, links, clock }: ConsoleDependencies): ConsoleServices {
  const { urlSigningKey } = installation
  return {
    sessions: createConsoleSessions(store, urlSigningKey, clock),
    links,
    attempts: new SignInAttempts(clock),
    cookieSuffix: createHmac('sha256', urlSigningKey).update('console cookie').digest('hex').slice(0, 8),
    mediaOrigin: mediaOriginOf(media),
  }
}

/** Returns the origin of presigned links to media. Null: the service sends media itself. */
function mediaOriginOf(media: MediaConfig): string | null {
  if (media.kind === 'disk' || media.delivery === 'service') return null
  const { origin, protocol, host } = new URL(media.publicUrl ?? media.endpoint)
  return media.addressing === 'path' ? origin : `${protocol}//${media.bucket}.${host}`
}
