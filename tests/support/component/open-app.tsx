/** Opens the web app, by default as Ana. */
import '#web/style.css'
import './reset-page.css'
import { lazy, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { vi } from 'vitest'
import { page } from 'vitest/browser'
import { beginPasskeySignInOperation } from '#contract/account/passkeys.ts'
import { listSignInProvidersOperation } from '#contract/account/provider-sign-in.ts'
import {
  getCurrentMemberOperation,
  getCurrentSessionOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import { countUnreadConversationsOperation } from '#contract/chat/conversations.ts'
import { getCommunityOperation } from '#contract/community/community.ts'
import { listModerationNoticesOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { countNotificationsOperation } from '#contract/notifications/notifications.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { App, preloadFirstPage } from '#web/app.tsx'
import { clearLocalSession, getSessionStatus, refreshSessionStatus } from '#web/features/account/session.ts'
import { hideEmailLinkSecret } from '#web/navigation/hide-email-link-secret.ts'
import { dismissToast, getCurrentToasts } from '#web/ui/toast/toast-store.ts'
import { createFakeApi, type FakeApi } from './fake-api.ts'
import { beginTestIds, endTestIds, makeCommunity, makeMember, newId } from './fixtures.ts'
import { installLiveSocket } from './live-socket.ts'

export const desktop = { width: 1440, height: 1000 }
export const phone = { width: 390, height: 844 }

type Opened = {
  me: CurrentMember
  navigate: (path: string) => void
  answerSession: () => void
}
type Options = {
  /** Null opens the page as a visitor. */
  me?: Partial<CurrentMember> | null
  live?: boolean
  size?: typeof desktop
  /** Waits for code and data. Otherwise the page shows skeletons first. */
  waits?: boolean
  /** Renders before the test calls `answerSession`. */
  early?: boolean
  /** React throws its first render away, as it may on a busy device. */
  losesFirstRender?: boolean
}

/** Set answers before calling `openApp`. Tests can change them later. */
export let api: FakeApi
let undo: (() => void)[] = []
let root: Root | undefined

/** @returns the signed-in member */
export async function openApp(
  path: string,
  {
    me: given,
    live = false,
    size = desktop,
    waits = true,
    early = false,
    losesFirstRender = false,
  }: Options = {},
): Promise<Opened> {
  await page.viewport(size.width, size.height)
  const me = makeMember(given ?? {})
  undo.push(api.install())
  undo.push(installLiveSocket(me.accountId, live))
  if (!api.isAnswered(listSignInProvidersOperation))
    api.answer(listSignInProvidersOperation, { documents: [] })
  if (!api.isAnswered(getCommunityOperation)) api.answer(getCommunityOperation, makeCommunity())
  if (early) await forgetSession()
  if (given === null) signOutAtServer()
  else signInAtServer(me)
  if (live && !api.isAnswered(catchUpOperation))
    api.answer(catchUpOperation, { changes: [], position: '1', resync: false })
  history.replaceState(null, '', path)
  hideEmailLinkSecret()
  const container = document.createElement('div')
  container.id = 'root'
  document.body.append(container)
  const answerSession = early ? api.hold(getCurrentSessionOperation).release : () => {}
  const ready = preloadFirstPage(location.pathname)
  if (!early)
    await (waits ? ready : vi.waitUntil(() => getSessionStatus() === (given === null ? 'visitor' : 'member')))
  const SuspendedOnce = lazy(async () => ({ default: () => null }))
  root = createRoot(container)
  root.render(
    <Suspense>
      <BrowserRouter>
        <App />
      </BrowserRouter>
      {losesFirstRender && <SuspendedOnce />}
    </Suspense>,
  )
  return { me, navigate, answerSession }
}

/** Restores the state of a newly opened page. */
async function forgetSession(): Promise<void> {
  api.refuse(getCurrentSessionOperation, 'network')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const checked = refreshSessionStatus()
  await vi.advanceTimersByTimeAsync(10_000)
  await checked
  vi.useRealTimers()
}

function navigate(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}

/** Keeps counts that the test has already answered. */
export function signInAtServer(me: CurrentMember): void {
  api.answer(getCurrentSessionOperation, { $id: newId('session'), accountId: me.accountId })
  api.answer(getCurrentMemberOperation, me)
  if (!api.isAnswered(countNotificationsOperation))
    api.answer(countNotificationsOperation, { unseen: 0, unread: 0, requests: 0 })
  if (!api.isAnswered(countUnreadConversationsOperation))
    api.answer(countUnreadConversationsOperation, { count: 0 })
  if (!api.isAnswered(listModerationNoticesOperation))
    api.answer(listModerationNoticesOperation, { documents: [] })
}

export function signOutAtServer(): void {
  api.refuse(getCurrentSessionOperation, 'general_unauthorized_scope')
  api.refuse(getCurrentMemberOperation, 'general_unauthorized_scope')
  api.refuse(beginPasskeySignInOperation, 'passkeys_unavailable')
}

export function prepare(): void {
  api = createFakeApi()
  beginTestIds()
  undo = []
}

/** @returns the test's unanswered requests and invalid answers */
export async function tearDown(): Promise<string[]> {
  root?.unmount()
  root = undefined
  for (const { id } of getCurrentToasts()) dismissToast(id)
  clearLocalSession()
  document.body.replaceChildren()
  for (const { name } of await cookieStore.getAll()) if (name) await cookieStore.delete(name)
  localStorage.clear()
  sessionStorage.clear()
  endTestIds()
  const { problems } = api
  for (const end of undo.reverse()) end()
  return [...new Set(problems)]
}
