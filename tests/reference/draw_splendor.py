"""What is played and asked of Splendor when two implementations are compared."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.reference import splendor as reference
from tests.reference.differential import Chance, Subject
from tests.reference.splendor import (
    CARDS,
    GEMS,
    LEVELS,
    SLOTS,
    TILES,
    TOKENS,
    UNKNOWN,
    Json,
    copied,
)

RULESETS = ("gamerules", "publisher")
PHASES = ("main", "return_tokens", "choose_noble", "reveal", "over")
CARD_IDS = tuple(CARDS)
TILE_IDS = tuple(TILES)

RANGES: dict[str, Sequence[Any]] = {
    "target_prestige": (*range(1, 23), 50),
    "token_limit": (3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 20, 50),
    "reserve_limit": (0, 1, 2, 4, 5, 7, 10),
    "gems_per_color": (1, 2, 3, 4, 5, 6, 8, 12, 20),
    "gold_tokens": (0, 1, 2, 3, 5, 7, 20),
    "nobles_revealed": tuple(range(11)),
    "take_fewer": ("when_scarce", "never", "always"),
    "take_two_minimum": (2, 3, 5, 20),
    "reserve_without_gold": (True, False),
    "gold_payment": ("free", "needed_only"),
    "returns": ("any", "drawn"),
    "pass": ("when_stuck", "never", "always"),
    "reserve_visibility": ("drawn_hidden", "all_hidden", "open"),
    "tie_break": ("shared", "fewest_cards"),
}
"""The values tried of each option: over its whole range, most of them where they matter."""

TIGHT: dict[str, Sequence[Any]] = {
    "target_prestige": (15, 30, 50),
    "token_limit": (3, 10, 20),
    "reserve_limit": (0, 1, 2),
    "gems_per_color": (1, 2, 3),
    "gold_tokens": (0, 1, 2),
    "nobles_revealed": (0, 3, 10),
    "take_fewer": ("when_scarce", "never"),
    "gold_payment": ("free", "needed_only"),
    "reserve_without_gold": (True, False),
    "pass": ("when_stuck", "never"),
}
"""The values under which seats get stuck."""


# Beginning


def deal(chance: Chance, seed: str) -> tuple[int, str, Json, str]:
    """Return the arguments of a deal: under the usual options, under tight ones, or under any."""
    options: Json = {}
    kind = chance.below(4)
    if kind == 0:
        options = {name: chance.one_of(values) for name, values in TIGHT.items()}
    elif kind > 1:
        options = {
            name: chance.one_of(values) for name, values in RANGES.items() if chance.happens(30)
        }
    return chance.one_of((2, 3, 4)), chance.one_of(RULESETS), options, seed


def start(state: Json, chance: Chance) -> Json:
    """Return the state as dealt or later, with decks as lists or counts, open or unrevealed."""
    if chance.happens(60):
        state = _later(state, chance)
    if chance.happens(50):
        return state
    state = _with_counts(state, chance)
    if state["turn"] == 0 and chance.happens(60):
        for row in state["market"].values():
            row[:] = [UNKNOWN if chance.happens(50) else card for card in row]
        state["phase"] = "reveal" if reference.unknown_slots(state) else "main"
    return state


def _later(state: Json, chance: Chance) -> Json:
    """Return a state from the middle of a game, with cards and tokens given out at random."""
    for _ in range(30):
        later: Json = copied(state)
        _give_tokens(later, chance)
        _give_cards(later, chance)
        later["turn"] = 40 * len(later["players"]) + chance.below(len(later["players"]))
        later["to_act"] = later["turn"] % len(later["players"])
        later["final_round"] = chance.happens(30)
        if not reference.audit(later):
            return later
    return state


def _give_tokens(state: Json, chance: Chance) -> None:
    for player in state["players"]:
        for _ in range(chance.below(1 + int(reference.option(state, "token_limit")))):
            kind = chance.one_of(TOKENS)
            if state["bank"][kind]:
                player["tokens"][kind] += 1
                state["bank"][kind] -= 1


def _give_cards(state: Json, chance: Chance) -> None:
    for player in state["players"]:
        for level in chance.some_of(LEVELS, chance.below(4)):
            deck = state["decks"][str(level)]
            most = min(len(deck), (14, 9, 4)[level - 1])
            player["cards"] += [deck.pop() for _ in range(chance.below(1 + most))]
        for _ in range(chance.below(1 + min(3, reference.option(state, "reserve_limit")))):
            deck = chance.one_of([deck for deck in state["decks"].values() if deck])
            player["reserved"].append({"card": deck.pop(), "hidden": chance.happens(50)})


def _with_counts(state: Json, chance: Chance) -> Json:
    """Return the state as a table with real cards would send it."""
    state = copied(state)
    state["decks"] = {str(level): {"count": reference.deck_size(state, level)} for level in LEVELS}
    for player in state["players"]:
        for held in player["reserved"]:
            if held["hidden"] and "card" in held and chance.happens(70):
                held["level"] = CARDS[held.pop("card")]["level"]
    return state


# Going on


def advance(state: Json, choices: list[Json], chance: Chance) -> Json | None:
    """Return the state after a legal action, or None after the end."""
    if not choices and state["phase"] == "over":
        return None
    if not choices or chance.happens(1):
        seat = chance.one_of(reference.seats_left(state))
        action: Json = {"type": "resign", "seat": seat}
    else:
        action = _settled(state, _eager_choice(choices, chance), chance)
    after = reference.apply(state, action)[0]
    if chance.happens(2) and not reference.has_counts(after) and after["phase"] != "over":
        return _with_counts(after, chance)
    return after


EAGERNESS = {"buy": 12, "take_different": 4, "take_same": 4, "reserve": 3}
"""How much more often than once a type is played: games shall go somewhere."""


def _eager_choice(choices: list[Json], chance: Chance) -> Json:
    there = {action["type"] for action in choices}
    bag = [kind for kind in sorted(there) for _ in range(EAGERNESS.get(kind, 1))]
    kind = chance.one_of(bag)
    return chance.one_of([action for action in choices if action["type"] == kind])


def _settled(state: Json, choice: Json, chance: Chance) -> Json:
    """Return a legal action for the choice, the whole turn or only its beginning."""
    for _ in range(6):
        action: Json = copied(choice)
        if choice["type"] == "buy" and chance.happens(40):
            action["payment"] = _random_payment(state, choice["card"], chance)
        if choice["type"] in ("take_different", "take_same", "reserve") and chance.happens(50):
            action["return"] = _random_return(state, action, chance)
        if choice["type"] not in ("choose_noble", "reveal") and chance.happens(30):
            action["noble"] = chance.one_of(TILE_IDS)
        if not reference.violations(state, action):
            return action
    return choice


def _random_payment(state: Json, card: int, chance: Chance) -> Json:
    player = state["players"][state["to_act"]]
    payment = {**reference.default_payment(player, card)}
    for gem in GEMS:
        while payment[gem] and chance.happens(40):
            if payment["gold"] == player["tokens"]["gold"] and chance.happens(80):
                break
            payment[gem] -= 1
            payment["gold"] += 1
    return payment if chance.happens(50) else _without_zeros(payment)


def _without_zeros(tokens: Json) -> Json:
    return {kind: count for kind, count in tokens.items() if count}


def _random_return(state: Json, action: Json, chance: Chance) -> Json:
    """Return a token map with as many tokens as exceed the limit, mostly such as are held."""
    held = dict(state["players"][state["to_act"]]["tokens"])
    if action["type"] != "return_tokens":
        drawn = reference.drawn_by(state, action)
        held = {kind: held[kind] + drawn[kind] for kind in TOKENS}
    surplus = sum(held.values()) - reference.option(state, "token_limit")
    pile = [kind for kind in TOKENS for _ in range(held[kind])]
    back = chance.some_of(pile, max(0, surplus))
    return {kind: back.count(kind) for kind in TOKENS if kind in back}


# Actions, legal and not


def batch(state: Json, choices: list[Json], chance: Chance, count: int) -> Iterator[Json]:
    """Yield actions to judge: some played well, some nearly so, some out of thin air."""
    for _ in range(count):
        kind = chance.below(4)
        if choices and kind == 0:
            yield _settled(state, chance.one_of(choices), chance)
        elif choices and kind == 1:
            action = _settled(state, _eager_choice(choices, chance), chance)
            yield _with_slip(state, action, chance)
        else:
            yield _absurd(state, chance)


def _absurd(state: Json, chance: Chance) -> Json:
    """Return an action of the right shape and nothing else."""
    action = chance.one_of(ABSURD)(state, chance)
    if chance.happens(5):
        action.setdefault("seat", chance.below(4))
    elif chance.happens(40) and state["to_act"] is not None:
        action.setdefault("seat", state["to_act"])
    if action["type"] in ("take_different", "take_same", "reserve") and chance.happens(25):
        action["return"] = _random_tokens(chance)
    if action["type"] not in ("choose_noble", "reveal", "resign") and chance.happens(25):
        action["noble"] = _likely_tile(state, chance)
    return action


def _random_tokens(chance: Chance) -> Json:
    return {kind: chance.below(4) for kind in chance.some_of(TOKENS, chance.below(4))}


def _likely_tile(state: Json, chance: Chance) -> int:
    return chance.one_of(state["nobles"] or TILE_IDS) if chance.happens(70) else _any_tile(chance)


def _any_tile(chance: Chance) -> int:
    return chance.one_of(TILE_IDS)


def _likely_card(state: Json, chance: Chance) -> int:
    """Return a card: face up, from a hand, or any."""
    near = [card for row in state["market"].values() for card in row if isinstance(card, int)]
    near += [
        held["card"] for player in state["players"] for held in player["reserved"] if "card" in held
    ]
    near += [
        chance.one_of(reference.unseen_cards(state, held["level"]) or CARD_IDS)
        for player in state["players"]
        for held in player["reserved"]
        if "level" in held
    ]
    return chance.one_of(near if near and chance.happens(75) else CARD_IDS)


def _absurd_take_different(_state: Json, chance: Chance) -> Json:
    count = chance.one_of((1, 2, 2, 3, 3, 3, 3, 4, 5))
    colors = chance.some_of(GEMS, count)
    if chance.happens(25):
        colors = [chance.one_of(GEMS) for _ in colors]
    return {"type": "take_different", "colors": colors}


def _absurd_take_same(_state: Json, chance: Chance) -> Json:
    return {"type": "take_same", "color": chance.one_of(GEMS)}


def _absurd_reserve(state: Json, chance: Chance) -> Json:
    if chance.happens(40):
        return {"type": "reserve", "level": chance.one_of(LEVELS)}
    return {"type": "reserve", "card": _likely_card(state, chance)}


def _absurd_buy(state: Json, chance: Chance) -> Json:
    card = _likely_card(state, chance)
    action: Json = {"type": "buy", "card": card}
    if chance.happens(60):
        player = state["players"][state["to_act"] or 0]
        due = reference.default_payment(player, card)
        action["payment"] = due if chance.happens(70) else _random_tokens(chance)
        for _ in range(chance.below(3)):
            _shift(action["payment"], chance)
    return action


def _shift(tokens: Json, chance: Chance) -> None:
    """Change one count of a token map, or move one token to another kind."""
    _add(tokens, chance.one_of(TOKENS), 1 if chance.happens(50) else -1)
    if chance.happens(50):
        _add(tokens, chance.one_of(TOKENS), 1 if chance.happens(50) else -1)


def _add(tokens: Json, kind: str, count: int) -> None:
    tokens[kind] = max(0, tokens.get(kind, 0) + count)


def _absurd_pass(_state: Json, _chance: Chance) -> Json:
    return {"type": "pass"}


def _absurd_return_tokens(_state: Json, chance: Chance) -> Json:
    return {"type": "return_tokens", "tokens": _random_tokens(chance)}


def _absurd_choose_noble(state: Json, chance: Chance) -> Json:
    return {"type": "choose_noble", "noble": _likely_tile(state, chance)}


def _absurd_reveal(state: Json, chance: Chance) -> Json:
    level, slot = chance.one_of(LEVELS), chance.one_of(SLOTS)
    owed = reference.unknown_slots(state)
    if owed and chance.happens(70):
        level, slot = chance.one_of(owed).values()
    card = chance.one_of(CARD_IDS)
    if chance.happens(50):
        card = chance.one_of(reference.unseen_cards(state, level) or CARD_IDS)
    return {"type": "reveal", "level": level, "slot": slot, "card": card}


def _absurd_resign(_state: Json, chance: Chance) -> Json:
    action = {"type": "resign", "seat": chance.below(4)}
    return action | ({"timeout": chance.happens(50)} if chance.happens(50) else {})


ABSURD = (
    _absurd_take_different,
    _absurd_take_different,
    _absurd_take_same,
    _absurd_reserve,
    _absurd_reserve,
    _absurd_buy,
    _absurd_buy,
    _absurd_buy,
    _absurd_pass,
    _absurd_return_tokens,
    _absurd_choose_noble,
    _absurd_reveal,
    _absurd_resign,
)


def _with_slip(state: Json, action: Json, chance: Chance) -> Json:
    """Return the action with one thing changed that its type allows."""
    action = copied(action)
    chance.one_of(SLIPS)(state, action, chance)
    return action


def _slip_in_tokens(_state: Json, action: Json, chance: Chance) -> None:
    key = chance.one_of([key for key in ("return", "payment", "tokens") if key in action] or [""])
    if key:
        _shift(action[key], chance)


def _slip_in_payment(state: Json, action: Json, chance: Chance) -> None:
    """Pay exactly, with more gold than the fewest."""
    if action["type"] == "buy":
        action["payment"] = _random_payment(state, action["card"], chance)


def _slip_in_return(state: Json, action: Json, chance: Chance) -> None:
    if action["type"] in ("take_different", "take_same", "reserve"):
        action["return"] = _random_return(state, action, chance)
        if chance.happens(50):
            _shift(action["return"], chance)


def _slip_in_noble(state: Json, action: Json, chance: Chance) -> None:
    if action["type"] != "reveal":
        action["noble"] = _likely_tile(state, chance)


def _slip_in_card(state: Json, action: Json, chance: Chance) -> None:
    if "card" in action:
        action["card"] = _likely_card(state, chance)


def _slip_in_colors(_state: Json, action: Json, chance: Chance) -> None:
    if "colors" not in action:
        return
    colors = action["colors"]
    change = chance.below(3)
    if change == 0 and len(colors) < 5:
        colors.append(chance.one_of(GEMS))
    elif change == 1 and len(colors) > 1:
        colors.pop()
    else:
        colors[chance.below(len(colors))] = chance.one_of(GEMS)


def _slip_in_seat(_state: Json, action: Json, chance: Chance) -> None:
    action["seat"] = chance.below(4)


SLIPS = (
    _slip_in_tokens,
    _slip_in_payment,
    _slip_in_payment,
    _slip_in_return,
    _slip_in_noble,
    _slip_in_card,
    _slip_in_colors,
    _slip_in_seat,
)


# Damages to a state, each of the right shape


def _damage_bank(state: Json, chance: Chance) -> None:
    _add(state["bank"], chance.one_of(TOKENS), chance.one_of((-1, 1, 2)))


def _damage_purse(state: Json, chance: Chance) -> None:
    player = chance.one_of(state["players"])
    _add(player["tokens"], chance.one_of(TOKENS), chance.one_of((-1, 1, 2)))


def _damage_by_gift(state: Json, chance: Chance) -> None:
    """Move tokens of one kind from the bank to a player: the supply stays right."""
    tokens = chance.one_of(state["players"])["tokens"]
    for kind in chance.some_of(TOKENS, chance.below(6)):
        count = chance.below(state["bank"][kind] + 1)
        tokens[kind] += count
        state["bank"][kind] -= count


def _places(state: Json) -> list[tuple[list[Any], int]]:
    """Return list and index of every place where the state names a card."""
    rows = [*state["market"].values(), *(player["cards"] for player in state["players"])]
    if not reference.has_counts(state):
        rows += state["decks"].values()
    return [(row, at) for row in rows for at, card in enumerate(row) if isinstance(card, int)]


def _damage_card(state: Json, chance: Chance) -> None:
    """Put another card in the place of one."""
    if places := _places(state):
        row, at = chance.one_of(places)
        row[at] = chance.one_of(CARD_IDS)


def _damage_by_swap(state: Json, chance: Chance) -> None:
    if places := _places(state):
        (row, at), (other, there) = chance.one_of(places), chance.one_of(places)
        row[at], other[there] = other[there], row[at]


def _damage_by_theft(state: Json, chance: Chance) -> None:
    """Take a card out of a deck or a player's cards, and sometimes give it to a player."""
    rows = [player["cards"] for player in state["players"] if player["cards"]]
    if not reference.has_counts(state):
        rows += [deck for deck in state["decks"].values() if deck]
    if rows:
        row = chance.one_of(rows)
        card = row.pop(chance.below(len(row)))
        if chance.happens(70):
            chance.one_of(state["players"])["cards"].append(card)


def _damage_hand(state: Json, chance: Chance) -> None:
    hand = chance.one_of(state["players"])["reserved"]
    if hand and chance.happens(40):
        hand.pop(chance.below(len(hand)))
    elif reference.has_counts(state) and chance.happens(50):
        hand.append({"level": chance.one_of(LEVELS), "hidden": True})
    else:
        hand.append({"card": chance.one_of(CARD_IDS), "hidden": chance.happens(50)})


def _damage_deck_to_hand(state: Json, chance: Chance) -> None:
    """Let a player reserve from a deck out of turn."""
    hand = chance.one_of(state["players"])["reserved"]
    level = chance.one_of(LEVELS)
    deck = state["decks"][str(level)]
    if reference.deck_size(state, level) == 0:
        return
    if isinstance(deck, dict):
        deck["count"] -= 1
        hand.append({"level": level, "hidden": True})
    else:
        hand.append({"card": deck.pop(), "hidden": True})


def _damage_slot(state: Json, chance: Chance) -> None:
    row = chance.one_of(list(state["market"].values()))
    unknown = UNKNOWN if reference.has_counts(state) else None
    row[chance.one_of(SLOTS)] = chance.one_of((None, unknown, chance.one_of(CARD_IDS)))


def _damage_count(state: Json, chance: Chance) -> None:
    deck = state["decks"][str(chance.one_of(LEVELS))]
    if isinstance(deck, dict):
        deck["count"] = max(0, deck["count"] + chance.one_of((-1, 1)))


def _damage_table_tiles(state: Json, chance: Chance) -> None:
    _damage_tiles(state["nobles"], chance)


def _damage_player_tiles(state: Json, chance: Chance) -> None:
    tiles = chance.one_of(state["players"])["nobles"]
    if state["nobles"] and chance.happens(60):
        tiles.append(state["nobles"].pop())
    else:
        _damage_tiles(tiles, chance)


def _damage_tiles(tiles: list[int], chance: Chance) -> None:
    if tiles and chance.happens(50):
        tiles.pop(chance.below(len(tiles)))
    else:
        tiles.append(_any_tile(chance))


def _damage_turn(state: Json, chance: Chance) -> None:
    state["turn"] = chance.one_of((0, 1, state["turn"] + 1, max(0, state["turn"] - 1)))


def _damage_round(state: Json, chance: Chance) -> None:
    """Set the clock to another turn, with the right seat to act."""
    seats = len(state["players"])
    state["turn"] = chance.below(state["turn"] + seats)
    if state["to_act"] is not None:
        state["to_act"] = state["turn"] % seats


def _damage_to_act(state: Json, chance: Chance) -> None:
    state["to_act"] = chance.one_of((None, *range(len(state["players"]))))


def _damage_phase(state: Json, chance: Chance) -> None:
    state["phase"] = chance.one_of(PHASES)


def _damage_drawn(state: Json, chance: Chance) -> None:
    drawn = dict.fromkeys(TOKENS, 0) | _random_tokens(chance)
    state["drawn"] = chance.one_of((None, drawn))


def _damage_final_round(state: Json, _chance: Chance) -> None:
    state["final_round"] = not state["final_round"]


def _damage_outcome(state: Json, chance: Chance) -> None:
    if state["outcome"] is None or chance.happens(20):
        reason = chance.one_of(("target_prestige", "deadlock", "resigned"))
        state["outcome"] = reference.scored(state, reason)
    elif chance.happens(30):
        state["outcome"] = None
    elif chance.happens(50):
        place = chance.one_of(state["outcome"]["ranking"])
        place[chance.one_of(("rank", "prestige", "cards"))] += 1
    else:
        state["outcome"]["winners"] = [chance.below(len(state["players"]))]


def _damage_by_end(state: Json, chance: Chance) -> None:
    """Declare the game over."""
    reason = chance.one_of(("target_prestige", "deadlock", "resigned"))
    state |= {"phase": "over", "to_act": None, "drawn": None}
    state["outcome"] = reference.scored(state, reason)


def _damage_resigned(state: Json, chance: Chance) -> None:
    player = chance.one_of(state["players"])
    player["resigned"] = not player["resigned"]


def _damage_option(state: Json, chance: Chance) -> None:
    name = chance.one_of(tuple(RANGES))
    state["ruleset"]["options"][name] = chance.one_of(RANGES[name])


DAMAGES: tuple[Callable[[Json, Chance], None], ...] = (
    _damage_bank,
    _damage_purse,
    _damage_by_gift,
    _damage_card,
    _damage_by_swap,
    _damage_by_theft,
    _damage_hand,
    _damage_deck_to_hand,
    _damage_slot,
    _damage_count,
    _damage_table_tiles,
    _damage_player_tiles,
    _damage_turn,
    _damage_round,
    _damage_to_act,
    _damage_phase,
    _damage_drawn,
    _damage_final_round,
    _damage_outcome,
    _damage_by_end,
    _damage_resigned,
    _damage_option,
)

SPLENDOR = Subject(reference, deal, start, advance, batch, DAMAGES)
