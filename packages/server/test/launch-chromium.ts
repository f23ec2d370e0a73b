import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Path of this machine's Chromium. Undefined if none is installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** Launches Chromium with these additional arguments. */
export async function launchChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', ...args] })
}
