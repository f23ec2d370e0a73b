import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Path of this machine's Chromium. Undefined if none is installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/**
 * The features that Playwright disables, except those of Edge. If `--disable-features` occurs more
 * than once on the command line, Chromium uses only the last one. The argument of `launchChromium`
 * must therefore repeat these features.
 */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/**
 * The popups of the address bar, which are disabled too. Chromium loads them for each browser
 * context in a separate process. This process takes more CPU time than most tested pages.
 */
const addressBarPopups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Launches Chromium with these additional arguments. */
export async function launchChromium(...args: string[]): Promise<Browser> {
  const disabledFeatures = [...disabledByPlaywright, ...addressBarPopups].join(',')
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', `--disable-features=${disabledFeatures}`, ...args],
  })
}
