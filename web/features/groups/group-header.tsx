import { Flag, Lock, ShieldCheck, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { formatMemberCount } from './format-counts.ts'
import { GroupPicture } from './group-picture.tsx'
import { isGroupMember } from './is-group-member.ts'

export function GroupHeader({ group, children }: { group: Group; children: ReactNode }) {
  return (
    <section className="card overflow-hidden rounded-card-small md:rounded-card">
      <GroupPicture
        group={group}
        sizes="(min-width:1280px) 1080px, 100vw"
        className="h-[168px] w-full md:h-[228px]"
      />
      <div className="px-[18px] pt-4 pb-[18px] md:flex md:flex-wrap md:items-start md:gap-x-6 md:gap-y-4 md:px-7 md:pt-[22px] md:pb-[26px]">
        <div className="min-w-0 wrap-anywhere md:flex-[1_1_320px]">
          <div className="flex items-start justify-between gap-3">
            <PageTitle title={group.name} />
            {group.membership !== 'admin' && (
              <IconButton
                label={en('Report group…', 'Denunciar el grupo…')}
                aria-haspopup="dialog"
                onClick={() => void openReport({ kind: 'group', id: group.$id })}
              >
                <Flag aria-hidden size={20} strokeWidth={2} />
              </IconButton>
            )}
          </div>
          <ul className="mt-2.5 flex flex-wrap gap-2">
            <Badge icon={<Lock aria-hidden size={16} strokeWidth={2} />}>
              {en('Private Group', 'Grupo privado')}
            </Badge>
            <Badge icon={<UsersRound aria-hidden size={16} strokeWidth={2} />}>
              {isGroupMember(group.membership) ? (
                <Link to={getListDialogLink('members')} className="hit-44 hover:underline">
                  {formatMemberCount(group.memberCount)}
                </Link>
              ) : (
                formatMemberCount(group.memberCount)
              )}
            </Badge>
            {group.membership === 'admin' && (
              <Badge icon={<ShieldCheck aria-hidden size={16} strokeWidth={2} />} strong>
                {en("You're Admin", 'Eres la administradora')}
              </Badge>
            )}
          </ul>
          {group.description && (
            <p
              dir="auto"
              className="mt-3.5 max-w-[62ch] leading-[1.4375rem] text-pretty whitespace-pre-line text-text-2"
            >
              {group.description}
            </p>
          )}
        </div>
        <div className="mt-4 md:mt-0">{children}</div>
      </div>
    </section>
  )
}

function Badge({ icon, strong, children }: { icon: ReactNode; strong?: boolean; children: ReactNode }) {
  return (
    <li
      className={cx(
        'inline-flex min-h-7 items-center gap-1.5 rounded-full px-[11px] text-meta font-[620] tabular-nums',
        strong ? 'bg-accent-soft text-on-accent-soft' : 'bg-sunken text-text-2',
      )}
    >
      {icon}
      {children}
    </li>
  )
}
