/** The sections of the settings, in their order, and the pages under them. A capability adds its own here. */
import { AtSign, Bell, type LucideIcon, Palette, Shield, ShieldCheck, UserRound } from 'lucide-react'
import { type LazyScreenComponent, lazyScreen } from '#web/navigation/lazy-screen.tsx'

type SettingsPage = {
  /** The page's address below that of the settings. */
  path: string
  title: string
  screen: LazyScreenComponent
}

export type SettingsSectionDefinition = {
  path: string
  label: string
  icon: LucideIcon
  screen: LazyScreenComponent
  /** Pages that the section's own screen leads to. */
  pages?: readonly SettingsPage[]
}

export const settingsSections: readonly SettingsSectionDefinition[] = [
  {
    path: 'profile',
    label: 'Profile',
    icon: UserRound,
    screen: lazyScreen(() => import('./profile-section.tsx'), 'ProfileSection'),
  },
  {
    path: 'account',
    label: 'Account',
    icon: AtSign,
    screen: lazyScreen(() => import('./account-section.tsx'), 'AccountSection'),
  },
  {
    path: 'security',
    label: 'Security',
    icon: ShieldCheck,
    screen: lazyScreen(() => import('./security-overview-section.tsx'), 'SecurityOverviewSection'),
    pages: [
      {
        path: 'security/devices',
        title: 'Devices',
        screen: lazyScreen(() => import('./devices-page.tsx'), 'DevicesPage'),
      },
      {
        path: 'security/code',
        title: 'Code from an app',
        screen: lazyScreen(() => import('./authenticator-page.tsx'), 'AuthenticatorPage'),
      },
      {
        path: 'security/recovery-codes',
        title: 'Recovery codes',
        screen: lazyScreen(() => import('./recovery-codes-page.tsx'), 'RecoveryCodesPage'),
      },
      {
        path: 'security/log',
        title: 'What happened',
        screen: lazyScreen(() => import('./security-log-page.tsx'), 'SecurityLogPage'),
      },
    ],
  },
  {
    path: 'notifications',
    label: 'Notifications',
    icon: Bell,
    screen: lazyScreen(
      () => import('../notifications/notification-preferences-section.tsx'),
      'NotificationPreferencesSection',
    ),
  },
  {
    path: 'privacy',
    label: 'Privacy and safety',
    icon: Shield,
    screen: lazyScreen(() => import('../privacy/privacy-section.tsx'), 'PrivacySection'),
    pages: [
      {
        path: 'blocked',
        title: 'Blocked people',
        screen: lazyScreen(() => import('../blocks/blocked-members-screen.tsx'), 'BlockedMembersScreen'),
      },
      {
        path: 'quiet',
        title: 'Muted and restricted',
        screen: lazyScreen(
          () => import('../mutes-and-restrictions/muted-and-restricted-screen.tsx'),
          'MutedAndRestrictedScreen',
        ),
      },
      {
        path: 'reports',
        title: 'Your reports',
        screen: lazyScreen(() => import('../moderation/my-reports-screen.tsx'), 'MyReportsScreen'),
      },
    ],
  },
  {
    path: 'appearance',
    label: 'Appearance',
    icon: Palette,
    screen: lazyScreen(() => import('./appearance-section.tsx'), 'AppearanceSection'),
  },
]
