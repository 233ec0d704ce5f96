import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { meQuery } from '#web/features/account/queries.ts'
import { endSession } from '#web/features/account/session.ts'
import { createQueryClient } from '#web/query-client.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonRegion } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { LiveUpdates } from './after-paint.tsx'
import { BottomBar, TopBar } from './bars.tsx'
import { ErrorBoundary } from './error-page.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Sidebar } from './sidebar.tsx'

/**
 * What surrounds every screen of a member. What was loaded for her is held here, so it is gone with her: after a logout the next
 * person at this device starts with nothing (NAV-13).
 */
export function MemberLayout() {
  const [client] = useState(() => createQueryClient(endSession))
  return (
    <QueryClientProvider client={client}>
      <LiveUpdates />
      <div className="md:grid md:min-h-dvh md:grid-cols-[92px_minmax(0,1fr)] xl:grid-cols-[256px_minmax(0,1fr)]">
        <SkipLink />
        <Sidebar />
        <TopBar />
        <div className="min-w-0 pb-(--bottom-bar)">
          <OfflineBar lang="en" />
          <main
            id="content"
            tabIndex={-1}
            className="px-3 pt-4 pb-10 outline-none md:px-7 md:pt-7 md:pb-16 xl:px-10 xl:pt-8 xl:pb-18"
          >
            <Content />
          </main>
        </div>
        <BottomBar />
      </div>
    </QueryClientProvider>
  )
}

/** The screen, once there is a member to show it to: below here `useMe` always has her. */
function Content() {
  const me = useQuery(meQuery)
  const { pathname } = useLocation()
  if (me.isError && !me.data) return <ErrorState text="We couldn’t load this." onRetry={me.refetch} />
  if (!me.data) return <Waiting />
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Waiting />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  )
}

function Waiting() {
  return (
    <SkeletonRegion>
      <div className="grid min-h-[50dvh] place-items-center">
        <Spinner />
      </div>
    </SkeletonRegion>
  )
}

/** The first tab stop of every page. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById('content')?.focus()}
      className="fixed top-3 left-3 z-80 rounded-input bg-brand px-4.5 py-3 text-on-brand not-focus:sr-only"
    >
      Skip to content
    </button>
  )
}
