"""The colours of the window: light, dark and high contrast, computed from a few seeds.

Every colour that carries text is moved towards black or white until it reaches the contrast that
WCAG 2.1 asks for (1.4.3: 4.5 : 1; 1.4.11: 3 : 1 for graphics).  No Qt here: the test counts ratios.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark", "contrast"]
THEMES: tuple[ThemeName, ...] = ("light", "dark", "contrast")
TEXT_CONTRAST = 4.5
GRAPHIC_CONTRAST = 3.0

PART_SEEDS: dict[str, str] = {
    "others": "#8B93A1",
    "framework": "#66758C",
    "weights": "#2F5FDE",
    "gradients": "#7C5CF0",
    "optimizer_state": "#B659C9",
    "activations": "#1596A0",
    "workspace": "#D9822B",
    "inputs": "#6A9A35",
}
"""Parts of memory, in the order in which the bar stacks them."""


@dataclass(frozen=True)
class Palette:
    """All colours of one theme as ``#rrggbb``."""

    name: ThemeName
    dark: bool
    window: str
    surface: str
    raised: str
    border: str
    strong_border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    fits: str
    tight: str
    does_not_fit: str
    unknown: str
    fits_soft: str
    tight_soft: str
    does_not_fit_soft: str
    unknown_soft: str
    parts: dict[str, str]

    def status(self, verdict: str) -> str:
        """The text colour of a verdict."""
        return {"fits": self.fits, "tight": self.tight, "does_not_fit": self.does_not_fit}.get(verdict, self.unknown)

    def status_soft(self, verdict: str) -> str:
        """The quiet background of a verdict."""
        soft = {"fits": self.fits_soft, "tight": self.tight_soft, "does_not_fit": self.does_not_fit_soft}
        return soft.get(verdict, self.unknown_soft)


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of ``#rrggbb``, each 0..1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _hex(red: float, green: float, blue: float) -> str:
    """Write red, green and blue in 0..1 as ``#rrggbb``."""
    return "#" + "".join(f"{round(max(0.0, min(1.0, value)) * 255):02X}" for value in (red, green, blue))


def mix(first: str, second: str, share: float) -> str:
    """``share`` of the second colour laid over the first."""
    a, b = rgb(first), rgb(second)
    return _hex(*(x + (y - x) * share for x, y in zip(a, b, strict=True)))


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1, "relative luminance")."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1..21 (WCAG 2.1)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, grounds: tuple[str, ...], ratio: float = TEXT_CONTRAST) -> str:
    """Change a colour's lightness, not its hue, until it stands out from every ground.

    Args:
        colour: Seed as ``#rrggbb``.
        grounds: Backgrounds it must be readable on.
        ratio: Contrast to reach on each of them.

    Returns:
        The nearest lightness that reaches the ratio; black or white if none does.
    """
    hue, light, saturation = colorsys.rgb_to_hls(*rgb(colour))
    step = 0.01 if luminance(grounds[0]) < 0.18 else -0.01
    while 0.0 <= light <= 1.0:
        candidate = _hex(*colorsys.hls_to_rgb(hue, light, saturation))
        if all(contrast(candidate, ground) >= ratio for ground in grounds):
            return candidate
        light += step
    return "#FFFFFF" if step > 0 else "#000000"


@dataclass(frozen=True)
class _Seeds:
    """What a theme is computed from."""

    window: str
    surface: str
    ink: str
    accent: str
    fits: str
    tight: str
    does_not_fit: str
    soft: float
    muted: float
    border: float


_SEEDS: dict[ThemeName, _Seeds] = {
    "light": _Seeds("#F5F6F8", "#FFFFFF", "#1A1F29", "#2F5FDE", "#16803A", "#96610A", "#C4262E", 0.09, 0.36, 0.13),
    "dark": _Seeds("#15181D", "#1D2128", "#ECEEF2", "#7EA2FF", "#4CC38A", "#F0B449", "#FF8078", 0.13, 0.34, 0.16),
    "contrast": _Seeds("#000000", "#000000", "#FFFFFF", "#FFD84D", "#5CF58D", "#FFC94D", "#FF9C96", 0.0, 0.0, 1.0),
}


def palette(name: ThemeName) -> Palette:
    """Compute the palette of a theme."""
    seeds = _SEEDS[name]
    dark = luminance(seeds.window) < 0.18
    raised = mix(seeds.surface, seeds.ink, 0.05 if name != "contrast" else 0.0)
    softs = [mix(seeds.surface, colour, seeds.soft) for colour in (seeds.fits, seeds.tight, seeds.does_not_fit)]
    unknown_seed = mix(seeds.ink, seeds.surface, 0.36)
    unknown_soft = mix(seeds.surface, unknown_seed, seeds.soft)
    accent_soft = mix(seeds.surface, seeds.accent, 0.12 if name != "contrast" else 0.25)
    plain = (seeds.surface, seeds.window, raised)
    accent = readable(seeds.accent, (*plain, accent_soft))
    parts = {part: readable(seed, (seeds.surface,), GRAPHIC_CONTRAST) for part, seed in PART_SEEDS.items()}
    return Palette(
        name=name,
        dark=dark,
        window=seeds.window,
        surface=seeds.surface,
        raised=raised,
        border=mix(seeds.surface, seeds.ink, seeds.border),
        strong_border=readable(mix(seeds.surface, seeds.ink, 0.45), (seeds.surface,), GRAPHIC_CONTRAST),
        text=seeds.ink,
        muted=readable(mix(seeds.ink, seeds.surface, seeds.muted), (*plain, accent_soft, *softs)),
        accent=accent,
        on_accent=readable("#FFFFFF" if not dark else "#0B0D11", (accent,)),
        accent_soft=accent_soft,
        fits=readable(seeds.fits, (*plain, softs[0])),
        tight=readable(seeds.tight, (*plain, softs[1])),
        does_not_fit=readable(seeds.does_not_fit, (*plain, softs[2])),
        unknown=readable(unknown_seed, (*plain, unknown_soft)),
        fits_soft=softs[0],
        tight_soft=softs[1],
        does_not_fit_soft=softs[2],
        unknown_soft=unknown_soft,
        parts=parts,
    )


def text_pairs(colours: Palette) -> dict[str, float]:
    """Contrast of every text colour on every ground it is used on, by name."""
    pairs = {}
    for ground in ("window", "surface", "raised"):
        for ink in ("text", "muted", "accent", "fits", "tight", "does_not_fit", "unknown"):
            pairs[f"{ink} on {ground}"] = contrast(getattr(colours, ink), getattr(colours, ground))
    for verdict in ("fits", "tight", "does_not_fit", "unknown"):
        soft = getattr(colours, f"{verdict}_soft")
        pairs[f"{verdict} on its own ground"] = contrast(getattr(colours, verdict), soft)
        pairs[f"text on {verdict} ground"] = contrast(colours.text, soft)
    pairs["button text on accent"] = contrast(colours.on_accent, colours.accent)
    pairs["accent on soft accent"] = contrast(colours.accent, colours.accent_soft)
    return pairs
