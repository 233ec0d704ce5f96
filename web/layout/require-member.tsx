import { type ComponentType, Suspense } from 'react'
import { Navigate, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { hasSignedOut, useSessionStatus } from '#web/features/account/session.ts'
import { screenPaths } from '#web/paths.ts'
import { ServerUnreachableScreen } from './server-unreachable-screen.tsx'
import { Splash } from './splash.tsx'
import { useDocumentLanguage } from './use-document-language.ts'

/**
 * Renders nothing until the session is known. After signing in, the member sees Home, or the linked settings page or
 * shared photo.
 */
export function RequireMember({ layout: Layout }: { layout: ComponentType }) {
  const session = useSessionStatus()
  const { pathname, search } = useLocation()
  useDocumentLanguage(en('en', 'es'))
  if (session === 'unknown') return <Splash />
  if (session === 'unreachable') return <ServerUnreachableScreen />
  if (session === 'visitor') {
    const isAskedFor = pathname.startsWith(screenPaths.settings()) || search === '?shared=1'
    const next = !hasSignedOut() && isAskedFor ? pathname + search : undefined
    return <Navigate to={screenPaths.signIn()} replace state={{ next }} />
  }
  return (
    <Suspense fallback={<Splash />}>
      <Layout />
    </Suspense>
  )
}
