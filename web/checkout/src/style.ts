// How the element looks. A shop sets the variables on the element; logical properties throughout, so that it reads from
// right to left as well.

export const style = `
:host {
  --accent: var(--payonce-accent, #1559d6);
  --on-accent: var(--payonce-on-accent, #fff);
  --text: var(--payonce-text, #16202e);
  --quiet: var(--payonce-quiet, #56637a);
  --line: var(--payonce-line, #d5dbe5);
  --surface: var(--payonce-surface, #fff);
  --good: var(--payonce-good, #0b7a43);
  --notice: var(--payonce-notice, #8a5300);
  --radius: var(--payonce-radius, 12px);
  display: block;
  color: var(--text);
  font: 16px/1.5 var(--payonce-font, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif);
  text-align: start;
}
* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }
.order { color: var(--quiet); font-size: 14px; overflow-wrap: anywhere; }
.amount { font-size: 40px; line-height: 1.2; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; margin-block: 2px 20px; }
.status { display: flex; gap: 12px; align-items: flex-start; margin-block-end: 20px; }
.status svg { flex: none; inline-size: 26px; block-size: 26px; }
.status p + p { color: var(--quiet); font-size: 14px; margin-block-start: 4px; }
.status.plain { margin-block-end: 12px; }
.status.plain .icon { display: none; }
.paid .status, .refunded .status { color: var(--good); font-weight: 600; font-size: 18px; }
.confirming .status, .closing .status { color: var(--notice); font-weight: 600; }
.status p + p { font-weight: 400; }
.spin { transform-box: fill-box; animation: turn 1s linear infinite; transform-origin: center; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spin { animation: none; } }
fieldset { border: 0; padding: 0; margin-block-end: 20px; display: grid; gap: 8px; }
legend { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
label { display: flex; gap: 12px; align-items: center; padding: 13px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); cursor: pointer; }
label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
label:focus-within, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
input { accent-color: var(--accent); inline-size: 18px; block-size: 18px; outline: none; }
button, a.button { display: block; inline-size: 100%; border: 0; border-radius: var(--radius); padding: 14px 20px; font: inherit; font-weight: 600; font-size: 17px; text-align: center; text-decoration: none; cursor: pointer; background: var(--accent); color: var(--on-accent); }
button[aria-disabled=true] { background: var(--line); color: var(--quiet); cursor: default; }
button.plain { background: none; color: var(--accent); font-size: 15px; margin-block-start: 8px; padding: 10px; }
button.plain[aria-disabled=true] { color: var(--quiet); }
.scan { text-align: center; }
.code { background: #fff; border: 1px solid var(--line); border-radius: var(--radius); inline-size: min(240px, 100%); margin: 12px auto; padding: 4px; line-height: 0; color: #000; }
.small { color: var(--quiet); font-size: 14px; }
.back { color: var(--accent); }
.scan + a.button { background: none; color: var(--accent); border: 1px solid var(--line); font-size: 15px; padding: 11px 20px; }
.scan[hidden] + a.button { background: var(--accent); color: var(--on-accent); border: 0; font-size: 17px; padding: 14px 20px; }
.left { margin-block-start: 12px; text-align: center; font-variant-numeric: tabular-nums; }
.back { display: inline-block; margin-block-start: 20px; font-size: 15px; }
`;

const icon = (body: string) =>
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`;

export const icons = {
  wait: icon('<g class="spin"><circle cx="12" cy="12" r="9" opacity=".25"/><path d="M12 3a9 9 0 0 1 9 9"/></g>'),
  good: icon('<circle cx="12" cy="12" r="10"/><path d="m7.5 12.5 3 3 6-7"/>'),
  info: icon('<circle cx="12" cy="12" r="10"/><path d="M12 11v6M12 7v.01"/>'),
};
