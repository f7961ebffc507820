//! Blocks, registers and terminators of a function.

use super::cursor::{Cursor, Result};
use super::error::Problem;
use super::value::{Tables, case_value};
use crate::{
    Block, BlockId, Body, Expect, Op, Operand, PrimaryMap, Reg, RegInfo, Switch, Target, Terminator, Type,
};
use cranelift_entity::EntityRef;
use std::borrow::Cow;
use std::collections::HashMap;

/// What is known of a register so far.
struct Seen<'a> {
    name: Option<Cow<'a, str>>,
    ty: Option<Type>,
    /// Where it was seen first.
    at: Cursor<'a>,
}

/// A block that has not ended yet.
struct Open<'a> {
    block: Block,
    at: Cursor<'a>,
}

pub(super) struct BodyParser<'a, 't> {
    pub(super) tables: &'t mut Tables<'a>,
    body: Body,
    /// By number; a text may mention any number, so this is not an array.
    regs: HashMap<u32, Seen<'a>>,
    open: Option<Open<'a>>,
}

impl<'a, 't> BodyParser<'a, 't> {
    pub(super) fn new(tables: &'t mut Tables<'a>) -> BodyParser<'a, 't> {
        BodyParser { tables, body: Body::default(), regs: HashMap::new(), open: None }
    }

    /// A parameter of the function: `%x.0: i32`.
    pub(super) fn param(&mut self, cursor: &mut Cursor<'a>) -> Result<Type> {
        let (reg, ty) = self.typed_reg(cursor)?;
        self.body.params.push(reg);
        Ok(ty)
    }

    pub(super) fn line(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        cursor.skip_blanks();
        let start = cursor.clone();
        let c = &mut cursor;
        if c.eat_word("unassigned") {
            self.typed_regs(c)?;
            return c.end();
        }
        if let Some(number) = c.eat_handle("bb") {
            return self.begin_block(number, start, c);
        }
        let results = if c.peek() == Some(b'%') { self.results(c)? } else { Vec::new() };
        c.skip_blanks();
        let word_at = c.clone();
        let word = c.word();
        if results.is_empty()
            && let Some(terminator) = self.terminator(word, c)?
        {
            let place = self.tables.place(c)?;
            let Some(Open { mut block, .. }) = self.open.take() else {
                return Err(start.error(Problem::OutsideBlock));
            };
            block.terminator = terminator;
            block.terminator_place = place;
            self.body.blocks.push(block);
            return c.end();
        }
        let inst = self.inst(results, word, word_at, c)?;
        match &mut self.open {
            Some(open) => open.block.insts.push(inst),
            None => return Err(start.error(Problem::OutsideBlock)),
        }
        c.end()
    }

    fn begin_block(&mut self, number: u32, start: Cursor<'a>, c: &mut Cursor<'a>) -> Result<()> {
        if let Some(open) = &self.open {
            return Err(open.at.error(Problem::OpenBlock));
        }
        if number as usize != self.body.blocks.len() {
            let expected = BlockId::new(self.body.blocks.len()).to_string().into();
            return Err(start.error(Problem::OutOfOrder { expected }));
        }
        let params = if c.eat("(") {
            let params = self.typed_regs(c)?;
            c.expect(")")?;
            params
        } else {
            Vec::new()
        };
        c.expect(":")?;
        let block = Block {
            params,
            insts: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_place: crate::PlaceId::from_u32(0),
        };
        self.open = Some(Open { block, at: start });
        c.end()
    }

    pub(super) fn finish(mut self) -> Result<Body> {
        if let Some(open) = &self.open {
            return Err(open.at.error(Problem::OpenBlock));
        }
        let mut regs: Vec<(u32, Seen<'a>)> = self.regs.into_iter().collect();
        regs.sort_unstable_by_key(|(number, _)| *number);
        let mut infos = PrimaryMap::with_capacity(regs.len());
        for (number, Seen { name, ty, at }) in regs {
            match ty {
                Some(ty) if number as usize == infos.len() => {
                    infos.push(RegInfo { ty, name: name.map(|name| name.into_owned().into()) });
                }
                Some(_) => return Err(at.error(Problem::RegisterUnassigned(infos.len() as u32))),
                None => return Err(at.error(Problem::RegisterUnassigned(number))),
            }
        }
        self.body.regs = infos;
        Ok(self.body)
    }

    fn reg(&mut self, cursor: &mut Cursor<'a>) -> Result<Reg> {
        let at = cursor.clone();
        let (number, name) = cursor.reg()?;
        let seen =
            self.regs.entry(number).or_insert_with(|| Seen { name: name.clone(), ty: None, at: at.clone() });
        if seen.name != name {
            return Err(at.error(Problem::RegisterName(number)));
        }
        Ok(Reg::from_u32(number))
    }

    pub(super) fn set_type(&mut self, reg: Reg, ty: Type, at: &Cursor<'a>) -> Result<()> {
        match self.regs.get_mut(&reg.as_u32()) {
            Some(Seen { ty: Some(other), .. }) if *other != ty => {
                Err(at.error(Problem::RegisterType(reg.as_u32())))
            }
            Some(seen) => {
                seen.ty = Some(ty);
                Ok(())
            }
            None => Err(at.error(Problem::RegisterUnassigned(reg.as_u32()))),
        }
    }

    fn typed_reg(&mut self, cursor: &mut Cursor<'a>) -> Result<(Reg, Type)> {
        let at = cursor.clone();
        let reg = self.reg(cursor)?;
        cursor.expect(":")?;
        let ty = cursor.ty()?;
        self.set_type(reg, ty, &at)?;
        Ok((reg, ty))
    }

    fn typed_regs(&mut self, cursor: &mut Cursor<'a>) -> Result<Vec<Reg>> {
        let mut regs = vec![self.typed_reg(cursor)?.0];
        while cursor.eat(",") {
            regs.push(self.typed_reg(cursor)?.0);
        }
        Ok(regs)
    }

    /// The registers before `=`, with the types that are written.
    fn results(&mut self, cursor: &mut Cursor<'a>) -> Result<Vec<(Reg, Option<Type>)>> {
        let mut results = Vec::new();
        loop {
            let reg = self.reg(cursor)?;
            let ty = if cursor.eat(":") { Some(cursor.ty()?) } else { None };
            results.push((reg, ty));
            if !cursor.eat(",") {
                cursor.expect("=")?;
                return Ok(results);
            }
        }
    }

    pub(super) fn operand(&mut self, cursor: &mut Cursor<'a>, expect: Expect) -> Result<Operand> {
        cursor.skip_blanks();
        if cursor.peek() == Some(b'%') {
            return Ok(self.reg(cursor)?.into());
        }
        let implied = expect.implied(self.tables.program.data_model);
        Ok(self.tables.const_operand(cursor, implied)?.into())
    }

    /// Operands whose types are written, up to `end`.
    pub(super) fn operands_until(
        &mut self,
        cursor: &mut Cursor<'a>,
        end: &'static str,
    ) -> Result<Box<[Operand]>> {
        let mut operands = Vec::new();
        if cursor.eat(end) {
            return Ok(operands.into());
        }
        loop {
            operands.push(self.operand(cursor, Expect::Any)?);
            if !cursor.eat(",") {
                cursor.expect(end)?;
                return Ok(operands.into());
            }
        }
    }

    fn target(&mut self, cursor: &mut Cursor<'a>) -> Result<Target> {
        let block = BlockId::from_u32(cursor.handle("bb")?);
        let args = if cursor.eat("(") { self.operands_until(cursor, ")")? } else { Box::default() };
        Ok(Target { block, args })
    }

    fn terminator(&mut self, word: &str, c: &mut Cursor<'a>) -> Result<Option<Terminator>> {
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.target(c)?),
            "branch" => {
                let cond = self.operand(c, Expect::Is(Type::BOOL))?;
                c.expect(",")?;
                let then = self.target(c)?;
                c.expect(",")?;
                Terminator::Branch { cond, then, otherwise: self.target(c)? }
            }
            "switch" => Terminator::Switch(Box::new(self.switch(c)?)),
            "return" => {
                let mut values = Vec::new();
                let mut more = !c.is_at_place_or_end();
                while more {
                    values.push(self.operand(c, Expect::Any)?);
                    more = c.eat(",");
                }
                Terminator::Return(values.into())
            }
            "unreachable" => Terminator::Unreachable,
            _ => return Ok(None),
        }))
    }

    fn switch(&mut self, c: &mut Cursor<'a>) -> Result<Switch> {
        let width = c.width()?;
        let value = self.operand(c, Expect::Is(Type::Int(width)))?;
        c.expect("{")?;
        let mut cases = Vec::new();
        while !c.eat_word("default") {
            let case = case_value(c, width)?;
            c.expect(":")?;
            cases.push((case, self.target(c)?));
            c.expect(",")?;
        }
        c.expect(":")?;
        let default = self.target(c)?;
        c.expect("}")?;
        Ok(Switch { value, width, cases, default })
    }

    /// Fills the operands of an instruction whose other parts are known.
    pub(super) fn fill(&mut self, op: &mut Op, cursor: &mut Cursor<'a>) -> Result<()> {
        let (mut result, mut first) = (Ok(()), true);
        op.each_operand_mut(|slot, expect| {
            if result.is_err() {
                return;
            }
            if !first {
                result = cursor.expect(",");
            }
            first = false;
            if result.is_ok() {
                match self.operand(cursor, expect) {
                    Ok(operand) => *slot = operand,
                    Err(error) => result = Err(error),
                }
            }
        });
        result
    }
}
