/** Within one frame: hides the screen, clears the storage, then navigates. */
import { readFallbackCookies } from '#web/api/cookie-fallback.ts'
import { pendingSignOutKey } from '#web/features/account/pending-sign-out-key.ts'
import { currentSessionApiPath } from '#web/features/account/session.ts'
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { quickExitTabKey } from '#web/navigation/repeat-quick-exit.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'
import { clearMemberDataMessage } from '#web/service-worker/messages.ts'

export function leaveAtOnce({ url, signsOut }: { url: string; signsOut: boolean }): void {
  document.documentElement.replaceChildren(document.createElement('body'))
  // Runs before the form's own listener, so a form with unsaved changes does not ask.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  if (signsOut) endSession()
  sessionStorage.clear()
  sessionStorage.setItem(quickExitTabKey, url)
  location.replace(url)
}

/** The request continues after the page has closed. If it is lost, the next start repeats it. */
function endSession() {
  const fallback = readFallbackCookies()
  localStorage.clear()
  localStorage.setItem(pendingSignOutKey, 'yes')
  // This database contains the unsent messages.
  indexedDB.deleteDatabase('juntas-outgoing')
  deletePostDrafts()
  // The page has no time for the rest; the worker or the next start deletes it.
  navigator.serviceWorker?.controller?.postMessage(clearMemberDataMessage)
  void clearMemberDataOnDevice()
  const headers = fallback ? { 'x-fallback-cookies': fallback } : undefined
  fetch(`/v1${currentSessionApiPath}`, { method: 'DELETE', keepalive: true, headers }).catch(() => {})
}
