/** Leaves the web within the frame: what is on the screen first, then what is stored, then the page. */
import { readFallbackCookies } from '#web/api/cookie-fallback.ts'
import { currentSessionApiPath, pendingSignOutKey } from '#web/features/account/session.ts'
import { deletePostDrafts } from '#web/features/posts/drafts/post-draft-database.ts'
import { quickExitTabKey } from '#web/navigation/repeat-quick-exit.ts'
import { clearMemberDataOnDevice } from '#web/service-worker/clear-member-data.ts'
import { clearMemberDataMessage } from '#web/service-worker/messages.ts'

export function leaveAtOnce({ url, signsOut }: { url: string; signsOut: boolean }): void {
  document.documentElement.replaceChildren(document.createElement('body'))
  // An unsaved form must not ask; capturing runs before the form's own listener.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  if (signsOut) endSession()
  sessionStorage.clear()
  sessionStorage.setItem(quickExitTabKey, url)
  location.replace(url)
}

/** Ends the session by a request that outlives the page, and is repeated at the next start where it does not arrive. */
function endSession() {
  const fallback = readFallbackCookies()
  localStorage.clear()
  localStorage.setItem(pendingSignOutKey, 'yes')
  // Messages that were still waiting to be sent.
  indexedDB.deleteDatabase('juntas-outgoing')
  deletePostDrafts()
  // What the page does not get to the worker does, and else the next start.
  navigator.serviceWorker?.controller?.postMessage(clearMemberDataMessage)
  void clearMemberDataOnDevice()
  const headers = fallback ? { 'x-fallback-cookies': fallback } : undefined
  fetch(`/v1${currentSessionApiPath}`, { method: 'DELETE', keepalive: true, headers }).catch(() => {})
}
