import { type ComponentType, Suspense } from 'react'
import { Navigate, useLocation } from 'react-router'
import { hasSignedOut, useSessionStatus } from '#web/features/account/session.ts'
import { screenPaths } from '#web/paths.ts'
import { ServerUnreachableScreen } from './server-unreachable-screen.tsx'
import { Splash } from './splash.tsx'
import { useDocumentLanguage } from './use-document-language.ts'

/**
 * Guards every page but sign-in and sign-up: only for a member, and nothing of it before the session is known. Signing in leads to
 * Home, or back to a page of the settings: letters lead to those.
 */
export function RequireMember({ layout: Layout }: { layout: ComponentType }) {
  const session = useSessionStatus()
  const { pathname } = useLocation()
  useDocumentLanguage('en')
  if (session === 'unknown') return <Splash />
  if (session === 'unreachable') return <ServerUnreachableScreen />
  if (session === 'visitor') {
    const next = !hasSignedOut() && pathname.startsWith(screenPaths.settings()) ? pathname : undefined
    return <Navigate to={screenPaths.signIn()} replace state={{ next }} />
  }
  return (
    <Suspense fallback={<Splash />}>
      <Layout />
    </Suspense>
  )
}
