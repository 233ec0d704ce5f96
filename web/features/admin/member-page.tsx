import { useQuery } from '@tanstack/react-query'
import { Fingerprint, HardDrive, KeyRound, Mail, UserRound } from 'lucide-react'
import { useMatch } from 'react-router'
import type { AdminMember } from '#contract/admin/members.ts'
import { en } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import {
  SettingsBox,
  SettingsNote,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { formatBytes } from '#web/format-bytes.ts'
import { formatCalendarDay, formatDayAndYear } from '#web/format-day.ts'
import { formatQuantity } from '#web/format-quantity.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { adminMemberQuery } from './admin-queries.ts'
import { MemberActs } from './member-acts.tsx'
import { MemberBadges } from './member-labels.tsx'

export function MemberPage() {
  const memberId = useMatch('/admin/members/:memberId')?.params.memberId ?? ''
  const query = useQuery(adminMemberQuery(memberId))
  if (query.error instanceof ApiError && query.error.code === 404)
    return (
      <div className="card">
        <EmptyState title={en('This account does not exist.', 'Esta cuenta no existe.')} />
      </div>
    )
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />} noticeClassName="mb-3.5">
      {(member) => (
        <>
          <Identity member={member} />
          <MemberActs key={member.$id} member={member} />
        </>
      )}
    </QueryView>
  )
}

const purposes: Record<AdminMember['storage'][number]['purpose'], string> = {
  post: en('Posts', 'Publicaciones'),
  user: en('Profile', 'Perfil'),
  group: en('Groups', 'Grupos'),
  message: en('Messages', 'Mensajes'),
  none: en('Not used yet', 'Sin usar todavía'),
}

function describeSignIn({
  password,
  passkeys,
  twoSteps,
  phone,
  providers,
}: AdminMember['signInMethods']): string {
  return (
    [
      password && en('password', 'contraseña'),
      passkeys > 0 &&
        formatQuantity(passkeys, en('passkey', 'llave de acceso'), en('passkeys', 'llaves de acceso')),
      twoSteps && en('two-step verification', 'verificación en dos pasos'),
      phone && en('phone', 'teléfono'),
      ...providers,
    ]
      .filter(Boolean)
      .join(', ') || en('Email links only', 'Solo enlaces por correo')
  )
}

function Identity({ member }: { member: AdminMember }) {
  const { name, username, email, emailVerified, joinedOn, activeOn, suspension, storage, sessions } = member
  const bytes = storage.reduce((sum, each) => sum + each.bytes, 0)
  const size = (count: number) => formatBytes(count, en('en', 'es'))
  return (
    <>
      <div className="mx-1 mb-4 flex flex-wrap items-center gap-2 md:mx-0">
        <p className="min-w-0 wrap-anywhere">
          <b className="font-[680]">{name}</b> <span className="text-text-2">@{username}</span>
        </p>
        <MemberBadges member={member} />
      </div>
      {suspension && (
        <SettingsNote icon={UserRound} color="warning">
          {suspension.until
            ? en(
                `Suspended until ${formatDayAndYear(suspension.until)}: “${suspension.reason}”`,
                `Suspendida hasta el ${formatDayAndYear(suspension.until)}: «${suspension.reason}»`,
              )
            : en(
                `Suspended for good: “${suspension.reason}”`,
                `Suspendida para siempre: «${suspension.reason}»`,
              )}
        </SettingsNote>
      )}
      {member.proposed && (
        <SettingsNote icon={UserRound} color="warning">
          {en(
            'A suspension is proposed. Another moderator or operator confirms or declines it.',
            'Hay una suspensión propuesta. Otra moderadora u operadora la confirma o la rechaza.',
          )}
        </SettingsNote>
      )}
      <SettingsBox>
        <SettingsRow
          icon={UserRound}
          title={en(`Joined ${formatCalendarDay(joinedOn)}`, `Se unió el ${formatCalendarDay(joinedOn)}`)}
          text={
            activeOn
              ? en(
                  `Last active ${formatCalendarDay(activeOn)}`,
                  `Activa por última vez el ${formatCalendarDay(activeOn)}`,
                )
              : en('Never signed in', 'Nunca ha entrado')
          }
        />
        <SettingsRow
          icon={Mail}
          title={email ?? en('No email', 'Sin correo')}
          text={
            emailVerified
              ? en('Verified. You never see the whole address.', 'Verificado. Nunca ves el correo entero.')
              : en(
                  'Not verified. You never see the whole address.',
                  'Sin verificar. Nunca ves el correo entero.',
                )
          }
        />
        <SettingsRow
          icon={KeyRound}
          title={en('Signs in with', 'Entra con')}
          text={describeSignIn(member.signInMethods)}
        />
        <SettingsRow
          icon={Fingerprint}
          title={en('Sessions', 'Sesiones')}
          text={formatQuantity(sessions, en('session', 'sesión'), en('sessions', 'sesiones'))}
        />
        <SettingsRow
          icon={HardDrive}
          title={en(`Photos: ${size(bytes)}`, `Fotos: ${size(bytes)}`)}
          text={
            storage
              .map((each) => `${purposes[each.purpose]}: ${each.files} (${size(each.bytes)})`)
              .join(' · ') || en('None', 'Ninguna')
          }
        />
      </SettingsBox>
    </>
  )
}
