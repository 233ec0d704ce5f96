import { type ComponentType, Suspense } from 'react'
import { Navigate } from 'react-router'
import { useSession } from '#web/features/account/session.ts'
import { paths } from '#web/paths.ts'
import { Splash, Unreachable } from './splash.tsx'
import { useLanguage } from './use-language.ts'

/** Every page but sign-in and sign-up: only for a member, and nothing of it before she is known (spec §4 Auth, §6). */
export function MembersOnly({ layout: Layout }: { layout: ComponentType }) {
  const session = useSession()
  useLanguage('en')
  if (session === 'unknown') return <Splash />
  if (session === 'unreachable') return <Unreachable />
  if (session === 'visitor') return <Navigate to={paths.signIn()} replace />
  return (
    <Suspense fallback={<Splash />}>
      <Layout />
    </Suspense>
  )
}
