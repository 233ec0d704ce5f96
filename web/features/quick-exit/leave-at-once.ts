/** Leaves the page within one frame: hides the screen, clears the storage, then navigates. */
import { readFallbackCookies } from '#web/api/cookie-fallback.ts'
import { currentSessionApiPath, pendingSignOutKey } from '#web/features/account/session.ts'
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { quickExitTabKey } from '#web/navigation/repeat-quick-exit.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'
import { clearMemberDataMessage } from '#web/service-worker/messages.ts'

export function leaveAtOnce({ url, signsOut }: { url: string; signsOut: boolean }): void {
  document.documentElement.replaceChildren(document.createElement('body'))
  // This capturing listener runs before the form's own listener, so that a form with unsaved changes does not ask.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  if (signsOut) endSession()
  sessionStorage.clear()
  sessionStorage.setItem(quickExitTabKey, url)
  location.replace(url)
}

/**
 * Ends the session with a request that continues after the page has closed. If the request is lost, the next start
 * repeats it.
 */
function endSession() {
  const fallback = readFallbackCookies()
  localStorage.clear()
  localStorage.setItem(pendingSignOutKey, 'yes')
  // Deletes the unsent messages.
  indexedDB.deleteDatabase('juntas-outgoing')
  deletePostDrafts()
  // The worker or the next start deletes the data for which the page has no time.
  navigator.serviceWorker?.controller?.postMessage(clearMemberDataMessage)
  void clearMemberDataOnDevice()
  const headers = fallback ? { 'x-fallback-cookies': fallback } : undefined
  fetch(`/v1${currentSessionApiPath}`, { method: 'DELETE', keepalive: true, headers }).catch(() => {})
}
