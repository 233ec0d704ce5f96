import type { AdminMemberSummary } from '#contract/admin/members.ts'
import { en } from '#contract/language.ts'
import { SettingsBadge } from '#web/features/account/settings/settings-box-and-rows.tsx'

const states: Record<Exclude<AdminMemberSummary['state'], 'open'>, string> = {
  suspended: en('Suspended', 'Suspendida'),
  closing: en('Scheduled for deletion', 'Borrado programado'),
  closed: en('Closed', 'Cerrada'),
}

export function MemberBadges({ member }: { member: AdminMemberSummary }) {
  const { state, moderates, operates } = member
  return (
    <>
      {operates && <SettingsBadge color="success">{en('Operator', 'Operadora')}</SettingsBadge>}
      {moderates && <SettingsBadge color="success">{en('Moderator', 'Moderadora')}</SettingsBadge>}
      {state !== 'open' && <SettingsBadge color="warning">{states[state]}</SettingsBadge>}
    </>
  )
}
