import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { en } from '#contract/language.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { BrandLink } from '#web/ui/brand.tsx'
import { IconButton, IconLink } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LazyNotificationBell } from './deferred-layout-parts.tsx'
import { useSignOutWithConfirmation } from './use-sign-out-with-confirmation.tsx'

export function MobileTopBar() {
  const { data: me } = useQuery(signedInMemberQuery)
  const logOut = useSignOutWithConfirmation()
  return (
    <header className="frosted sticky top-0 z-30 flex h-14 items-center border-b border-border pr-2 pl-3 md:hidden print:hidden">
      <BrandLink to={screenPaths.home()} small className="mr-auto px-1" />
      <LazyNotificationBell />
      <IconButton
        data-leaves
        label={en('Logout', 'Cerrar sesión')}
        aria-busy={logOut.busy || undefined}
        onClick={logOut.run}
      >
        <LogOut size={22} strokeWidth={1.9} />
      </IconButton>
      {logOut.question}
      {me ? (
        <IconLink to={screenPaths.profile(me.$id)} label={en('Your profile', 'Tu perfil')}>
          <Avatar person={me} size={32} />
        </IconLink>
      ) : (
        <div
          role="status"
          aria-label={en('Loading…', 'Cargando…')}
          className="grid size-11 place-items-center"
        >
          <Skeleton className="size-8 rounded-full" />
        </div>
      )}
    </header>
  )
}
