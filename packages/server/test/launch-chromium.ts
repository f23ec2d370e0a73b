import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Path of this machine's Chromium. Undefined if none is installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/**
 * The features that Playwright disables in Chromium. They are repeated here, because Chromium uses
 * only the last list of its command line.
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
 * For each browser context, Chromium loads the popups of its address bar in another process, which
 * takes more CPU time than most tested pages.
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
