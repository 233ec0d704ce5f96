/** `paths.ts` defines the screens' paths. */

import { Suspense } from 'react'
import { matchPath, matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router'
import { en, es } from '#contract/language.ts'
import { type ScreenName, screenRoutes } from '#contract/screen-routes.ts'
import { prefetchPageData } from './api/prefetch-page-data.ts'
import { getSessionStatus, refreshSessionStatus } from './features/account/session.ts'
import { ErrorBoundary, NotFoundScreen } from './layout/error-page.tsx'
import { RequireMember } from './layout/require-member.tsx'
import { VisitorLayout } from './layout/visitor-layout.tsx'
import { type LazyScreenComponent, lazyScreen } from './navigation/lazy-screen.tsx'
import { hasPageFlag } from './navigation/page-flags.ts'
import { usePrefetchOnIntent } from './navigation/use-prefetch-on-intent.ts'
import { useScrollRestoration } from './navigation/use-scroll-restoration.ts'
import { LazyToaster } from './ui/toast/lazy-toaster.tsx'

const MemberLayout = lazyScreen(() => import('./layout/member-layout.tsx'), 'MemberLayout')

/** All screens of emailed links are one small chunk, which the first page names. */
const loadEmailLinkScreens = () => import('./features/account/email-link-screens.tsx')

const loadPostFormScreens = () => import('./features/posts/form/post-form-screens.tsx')
const loadChatScreens = () => import('./features/chat/chat-screens.tsx')

const loadCommunityScreens = () => import('./features/community/community-screens.ts')

const visitorScreens = {
  signIn: lazyScreen(() => import('./features/account/sign-in-screen.tsx'), 'SignInScreen'),
  signUp: lazyScreen(() => import('./features/account/sign-up-screen.tsx'), 'SignUpScreen'),
  confirmApplication: lazyScreen(loadEmailLinkScreens, 'ConfirmApplicationScreen'),
  signInLink: lazyScreen(loadEmailLinkScreens, 'SignInLinkScreen'),
  recovery: lazyScreen(loadEmailLinkScreens, 'RecoveryScreen'),
  newPassword: lazyScreen(loadEmailLinkScreens, 'NewPasswordScreen'),
  verifyEmail: lazyScreen(loadEmailLinkScreens, 'VerifyEmailScreen'),
  undoEmail: lazyScreen(loadEmailLinkScreens, 'UndoEmailChangeScreen'),
  unsubscribe: lazyScreen(loadEmailLinkScreens, 'UnsubscribeScreen'),
  join: lazyScreen(loadCommunityScreens, 'JoinScreen'),
}

const communityScreens = {
  houseRules: lazyScreen(loadCommunityScreens, 'HouseRulesScreen'),
  setup: lazyScreen(loadCommunityScreens, 'SetupScreen'),
  receipt: lazyScreen(loadCommunityScreens, 'DeletionReceiptScreen'),
}

const memberScreens: Record<
  Exclude<ScreenName, keyof typeof visitorScreens | keyof typeof communityScreens>,
  LazyScreenComponent
> = {
  home: lazyScreen(() => import('./features/posts/feeds/home-screen.tsx'), 'HomeScreen'),
  explore: lazyScreen(() => import('./features/posts/feeds/explore-screen.tsx'), 'ExploreScreen'),
  tag: lazyScreen(() => import('./features/posts/topics/tag-screen.tsx'), 'TagScreen'),
  place: lazyScreen(() => import('./features/posts/topics/place-screen.tsx'), 'PlaceScreen'),
  people: lazyScreen(() => import('./features/people/people-screen.tsx'), 'PeopleScreen'),
  followRequests: lazyScreen(
    () => import('./features/people/follow-requests/follow-requests-screen.tsx'),
    'FollowRequestsScreen',
  ),
  groups: lazyScreen(() => import('./features/groups/groups-screen.tsx'), 'GroupsScreen'),
  createGroup: lazyScreen(() => import('./features/groups/create-group-screen.tsx'), 'CreateGroupScreen'),
  group: lazyScreen(() => import('./features/groups/group-screen.tsx'), 'GroupScreen'),
  groupRequests: lazyScreen(() => import('./features/groups/join-requests-screen.tsx'), 'JoinRequestsScreen'),
  updateGroup: lazyScreen(() => import('./features/groups/edit-group-screen.tsx'), 'EditGroupScreen'),
  chat: lazyScreen(loadChatScreens, 'ChatScreen'),
  messageRequests: lazyScreen(loadChatScreens, 'MessageRequestsScreen'),
  saved: lazyScreen(() => import('./features/posts/feeds/saved-screen.tsx'), 'SavedScreen'),
  createPost: lazyScreen(loadPostFormScreens, 'CreatePostScreen'),
  updatePost: lazyScreen(loadPostFormScreens, 'EditPostScreen'),
  post: lazyScreen(() => import('./features/posts/post-screen.tsx'), 'PostScreen'),
  profile: lazyScreen(() => import('./features/people/profile-screen.tsx'), 'ProfileScreen'),
  updateProfile: lazyScreen(() => import('./features/people/edit-profile-screen.tsx'), 'EditProfileScreen'),
  notifications: lazyScreen(
    () => import('./features/notifications/notifications-screen.tsx'),
    'NotificationsScreen',
  ),
  vouchRequests: lazyScreen(
    () => import('./features/community/vouch-requests-screen.tsx'),
    'VouchRequestsScreen',
  ),
  photosOfYou: lazyScreen(
    () => import('./features/photo-tags/photos-of-you-screen.tsx'),
    'PhotosOfYouScreen',
  ),
  settings: lazyScreen(() => import('./features/account/settings/settings-screen.tsx'), 'SettingsScreen'),
  admin: lazyScreen(() => import('./features/admin/admin-screen.tsx'), 'AdminScreen'),
  operatorActs: lazyScreen(
    () => import('./features/admin/public-operator-acts-screen.tsx'),
    'PublicOperatorActsScreen',
  ),
  moderation: lazyScreen(
    () => import('./features/moderation/console/moderation-screen.tsx'),
    'ModerationScreen',
  ),
}

const routesOf = (shown: Partial<Record<ScreenName, LazyScreenComponent>>): RouteObject[] =>
  Object.entries(shown).map(([name, Screen]) => ({
    path: screenRoutes[name as ScreenName].path,
    element: <Screen />,
    handle: Screen.load,
  }))

const routes: RouteObject[] = [
  { element: <VisitorLayout />, handle: 'visitor', children: routesOf(visitorScreens) },
  { handle: 'visitor', children: routesOf(communityScreens) },
  {
    element: <RequireMember layout={MemberLayout} />,
    children: [...routesOf(memberScreens), { path: '*', element: <NotFoundScreen /> }],
  },
]

function screenAt(pathname: string): { forVisitors: boolean; load: LazyScreenComponent['load'] | undefined } {
  const [layout, screen] = matchRoutes(routes, pathname) ?? []
  return { forVisitors: layout?.route.handle === 'visitor', load: screen?.route.handle }
}

function loadScreen(pathname: string): void {
  const { forVisitors, load } = screenAt(pathname)
  for (const part of [load, forVisitors ? undefined : MemberLayout.load]) void part?.().catch(() => {})
}

/**
 * Without a member cookie, other requests would fail, so session and sign-in code load first.
 * @returns a promise that resolves when everything has arrived or failed
 */
export async function preloadFirstPage(pathname: string): Promise<void> {
  const session = refreshSessionStatus()
  const { forVisitors, load } = screenAt(pathname)
  if (forVisitors) await load?.().catch(() => {})
  else if (hasPageFlag('member')) await Promise.allSettled([session, ...membersPage(pathname)])
  else {
    await Promise.allSettled([session, visitorScreens.signIn.load()])
    if (getSessionStatus() === 'member') await Promise.allSettled(membersPage(pathname))
  }
}

const membersPage = (pathname: string) => [
  prefetchPageData(pathname),
  MemberLayout.load(),
  screenAt(pathname).load?.(),
]

export function App() {
  const { pathname } = useLocation()
  const screen = useRoutes(routes)
  useScrollRestoration()
  usePrefetchOnIntent(loadScreen)
  const { forVisitors } = screenAt(pathname)
  return (
    <>
      <ErrorBoundary at={pathname}>
        <Suspense>{screen}</Suspense>
      </ErrorBoundary>
      <LazyToaster
        lang={forVisitors ? es('es', 'en') : en('en', 'es')}
        position={
          forVisitors ? 'visitorForm' : matchPath('/chat/:conversationId', pathname) ? 'conversation' : 'page'
        }
      />
    </>
  )
}
