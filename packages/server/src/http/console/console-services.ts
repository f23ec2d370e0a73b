import type { ConsoleSessions } from '../../auth/console-sessions.ts'
import type { SignInAttempts } from '../../auth/sign-in-attempts.ts'
import type { SignInLinks } from '../../auth/sign-in-links.ts'

/** The services that the console needs in addition to those of the API. */
export interface ConsoleServices {
  sessions: ConsoleSessions
  links: SignInLinks
  attempts: SignInAttempts
  /** Distinguishes the cookies of several installations on one host. */
  cookieSuffix: string
  /**
   * Origin to which the service redirects requests for media. Null: the service sends media itself.
   */
  mediaOrigin: string | null
}
