import type { ConsoleSessions } from '../../auth/console-sessions.ts'
import type { SignInAttempts } from '../../auth/sign-in-attempts.ts'
import type { SignInLinks } from '../../auth/sign-in-links.ts'

/** What the console needs beyond the services of the API. */
export interface ConsoleServices {
  sessions: ConsoleSessions
  links: SignInLinks
  attempts: SignInAttempts
  /** Distinguishes the cookies of several installations on one host. */
  cookieSuffix: string
  /** Origin to which the service redirects requests for media; null if it delivers them itself. */
  mediaOrigin: string | null
}
