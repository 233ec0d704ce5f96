/** This script blocks the head, so the page never appears in the wrong theme or text size. */
import { pendingSignOutKey } from '../features/account/pending-sign-out-key.ts'
import { quickExitTabKey } from '../navigation/repeat-quick-exit.ts'
import { applyAppearance, readAppearance } from './appearance.ts'

applyAppearance(readAppearance())
hideSplashOfLeftPage()

/** If a sign-out got no response, or the member used quick exit, nobody may see the photo in Home's splash. */
function hideSplashOfLeftPage(): void {
  try {
    const isLeft = localStorage.getItem(pendingSignOutKey) ?? sessionStorage.getItem(quickExitTabKey)
    if (isLeft !== null) document.documentElement.dataset.left = ''
  } catch {
    // Without storage, neither was recorded.
  }
}
