import { type ComponentType, Suspense } from 'react'
import { Navigate } from 'react-router'
import { useSessionStatus } from '#web/features/account/session.ts'
import { screenPaths } from '#web/paths.ts'
import { ServerUnreachableScreen, Splash } from './splash.tsx'
import { useDocumentLanguage } from './use-document-language.ts'

/** Guards every page but sign-in and sign-up: only for a member, and nothing of it before the session is known. */
export function RequireMember({ layout: Layout }: { layout: ComponentType }) {
  const session = useSessionStatus()
  useDocumentLanguage('en')
  if (session === 'unknown') return <Splash />
  if (session === 'unreachable') return <ServerUnreachableScreen />
  if (session === 'visitor') return <Navigate to={screenPaths.signIn()} replace />
  return (
    <Suspense fallback={<Splash />}>
      <Layout />
    </Suspense>
  )
}
