import { useInfiniteQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { securityEventsQuery } from './account-security-queries.ts'
import { SecurityEvents } from './security-events.tsx'
import { SettingsBox } from './settings-box-and-rows.tsx'

export function SecurityLogPage() {
  const query = useInfiniteQuery(securityEventsQuery)
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'The last year, with the device used. Was something not you? Log out the device and change your password.',
          'El último año, con el dispositivo usado. ¿No reconoces algo? Cierra la sesión de ese dispositivo y cambia tu contraseña.',
        )}
      </p>
      <QueryView query={query} skeleton={<Skeleton className="h-40 rounded-card" />} noticeClassName="mb-3.5">
        {({ pages }) => (
          <SettingsBox>
            <SecurityEvents events={pages.flatMap(({ documents }) => documents)} />
          </SettingsBox>
        )}
      </QueryView>
      <LoadMore query={query} what={en('events', 'movimientos')} />
    </>
  )
}
